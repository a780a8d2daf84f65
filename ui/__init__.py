"""The Qt front end; holds no rule of the domain."""
