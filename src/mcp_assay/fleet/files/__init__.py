"""From a file that names servers to a fleet: TOML, a client's configuration, a registry's page."""
