"""What a shell command would do, told without running it: its text parsed, its programs known, its reach judged."""
