"""Many servers, each a job that can be done anywhere: from a file that names them to one report."""
