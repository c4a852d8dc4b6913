"""Getting the recommended model: the only code in this package that uses the network, and only when somebody asks for it."""

from __future__ import annotations

import os
from pathlib import Path

from curator_core.errors import ModelUnavailable
from curator_core.models.model_files import PREFERRED, find_model, hub_cache

_WANTED = ("*.json", "*.txt", "model*.safetensors", "*/config.json", "*/model.safetensors")  # not the same weights in other formats
_UNWANTED = ("onnx/*", "openvino/*")
_PATIENCE_SECONDS = 5


def pull_model(model_id: str = PREFERRED) -> Path:
    """Download a model into the local Hugging Face cache and return its folder; one that is there already is left as it is.

    Raises ModelUnavailable when the hub cannot be reached, does not know the model, or the cache cannot be written.
    """
    try:
        return find_model(model_id).folder
    except ModelUnavailable:
        pass  # not there yet, or incomplete
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        if os.environ.get(name, "").upper() in ("1", "ON", "YES", "TRUE"):
            raise ModelUnavailable(f"{model_id} was not downloaded: {name} is set in the environment; unset it and try again")
    from huggingface_hub import constants, get_session, snapshot_download

    constants.HF_HUB_OFFLINE = False  # loading a model in this process has set it for good
    try:
        # asked first, because the download itself would retry a silent network for minutes
        get_session().head(f"{constants.ENDPOINT}/api/models/{model_id}", timeout=_PATIENCE_SECONDS)
        snapshot_download(
            model_id, cache_dir=hub_cache(), allow_patterns=list(_WANTED), ignore_patterns=list(_UNWANTED), etag_timeout=_PATIENCE_SECONDS
        )
    except Exception as error:  # noqa: BLE001 - network, hub and disk errors of three libraries: one line for the author
        what = str(error).strip().partition("\n")[0][:200]
        hint = f"check the connection, or copy the model into {hub_cache()} from another machine; without it the bundled model is used"
        raise ModelUnavailable(f"{model_id} was not downloaded ({type(error).__name__}: {what}); {hint}") from None
    return find_model(model_id).folder
