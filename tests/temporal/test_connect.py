"""Which server is meant: the one that is configured, or the embedded one; never another one instead."""

from pathlib import Path

import pytest

from resume_gate.temporal import connecting
from resume_gate.temporal.connecting import NoServerError, configured, connect, wait_until_ready
from resume_gate.temporal.devserver import DevServer, free_port


@pytest.fixture(autouse=True)
def _nothing_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("TEMPORAL_ADDRESS", "TEMPORAL_CONFIG_FILE", "TEMPORAL_PROFILE", "TEMPORAL_NAMESPACE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


async def test_the_environment_names_the_server(server: DevServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """``TEMPORAL_ADDRESS`` is enough to be connected."""
    monkeypatch.setenv("TEMPORAL_ADDRESS", server.address)
    await wait_until_ready(await connect())


async def test_a_config_file_names_the_server(
    server: DevServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A ``temporal.toml`` does, too."""
    file = tmp_path / "temporal.toml"
    file.write_text(f'[profile.default]\naddress = "{server.address}"\n')
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(file))
    await wait_until_ready(await connect())


async def test_nothing_configured_means_the_embedded_server(server: DevServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without configuration the embedded server's own port on loopback is tried."""
    monkeypatch.setattr(connecting, "DEFAULT_PORT", int(server.address.rpartition(":")[2]))
    assert configured() == {}
    await wait_until_ready(await connect())


async def test_a_refused_connection_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing answers at the address that is named, no other server is started or tried."""
    monkeypatch.setenv("TEMPORAL_ADDRESS", f"127.0.0.1:{free_port()}")
    with pytest.raises(NoServerError, match="no Temporal server answers at 127"):
        await connect()


def test_a_missing_config_file_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file that is named and not there is no empty configuration."""
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(tmp_path / "missing.toml"))
    with pytest.raises(NoServerError, match=r"missing\.toml, which does not exist"):
        configured()


def test_a_missing_profile_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """So is a profile that the file does not have."""
    file = tmp_path / "temporal.toml"
    file.write_text('[profile.default]\naddress = "127.0.0.1:1"\n')
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(file))
    monkeypatch.setenv("TEMPORAL_PROFILE", "production")
    with pytest.raises(NoServerError, match="production"):
        configured()


async def test_a_namespace_that_is_not_there_is_an_error(server: DevServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not serve the namespace is told apart from one that does."""
    monkeypatch.setenv("TEMPORAL_ADDRESS", server.address)
    monkeypatch.setenv("TEMPORAL_NAMESPACE", "nowhere")
    client = await connect()
    with pytest.raises(NoServerError, match="namespace nowhere is not served"):
        await wait_until_ready(client, seconds=0.2)
