"""The steps of the pipeline, a file each; `pipeline.STEPS` has their order."""
