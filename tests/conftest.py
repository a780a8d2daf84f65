"""What all tests need before anything is imported: Qt draws into memory."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
