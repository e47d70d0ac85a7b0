"""An adapter of `assay vectors run` for the functions with which Keylime's verifier evaluates a quote, its logs and policies."""

import json
import logging
import os
import sys
import tempfile
import types

CONFIG = """[verifier]
version = 2.5
measured_boot_policy_name = example
measured_boot_imports = []
measured_boot_evaluate = always
ignore_tomtou_errors = False
"""

# Keylime reads its settings when it is imported, and imports gpg, which these functions do not use.
directory = tempfile.TemporaryDirectory()
path = os.path.join(directory.name, "verifier.conf")
with open(path, "w", encoding="utf-8") as file:
    file.write(CONFIG)
os.environ["KEYLIME_VERIFIER_CONFIG"] = path
os.environ["KEYLIME_DIR"] = directory.name
sys.modules["gpg"] = types.ModuleType("gpg")
answers = sys.stdout
sys.stdout = sys.stderr

# pylint: disable=wrong-import-position
from keylime.common.algorithms import Hash
from keylime.ima import ima
from keylime.mba import mba
from keylime.tpm.tpm_main import Tpm

logging.disable(logging.CRITICAL)
mba.load_imports()
tpm = Tpm()


def judge(body):
    """The failures of the evaluation, as POST verify/evidence lists them."""
    policy = ima.deserialize_runtime_policy(body.get("runtime_policy"))
    failure = tpm.check_quote(
        None,
        body["nonce"],
        body.get("tpm_ek"),
        body["quote"],
        body["tpm_ak"],
        body.get("tpm_policy"),
        body.get("ima_measurement_list"),
        policy,
        Hash(body["hash_alg"]),
        None,
        body.get("mb_list"),
        body.get("mb_policy"),
        mb_policy_name="example",
        skip_clock_check=True,
        skip_data_pcr_check=True,
    )
    return [event.event_id for event in failure.events]


def answer_to(line):
    """The answer to a line; whatever the functions raise is a refusal."""
    body = json.loads(line)
    try:
        failures = judge(body)
        return {"id": body["id"], "valid": not failures, "failures": [{"type": one} for one in failures]}
    except Exception as error:  # pylint: disable=broad-except
        return {"id": body["id"], "error": f"{type(error).__name__}: {error}"[:500]}


for each in sys.stdin:
    print(json.dumps(answer_to(each)), file=answers, flush=True)
