"""Keylime's readers as a program for `npm run readers`: each line of the input has a kind and bytes."""

import base64
import json
import logging
import sys

answers = sys.stdout
sys.stdout = sys.stderr

# pylint: disable=wrong-import-position
from keylime.common.algorithms import Hash
from keylime.ima import ast
from keylime.tpm import tpm2_objects

logging.disable(logging.CRITICAL)
TEMPLATES = {ast.Ima: "ima", ast.ImaNg: "ima-ng", ast.ImaSig: "ima-sig", ast.ImaBuf: "ima-buf"}


def read_entry(line):
    """The fields of a line."""
    entry = ast.Entry(line)
    # The reader replaces the hash of a violation, and does not compare it.
    is_violation = entry.ima_template_hash == Hash.SHA1.get_ff_hash()
    mode = entry.mode
    shown = {} if is_violation else {"templateHash": entry.ima_template_hash.hex()}
    return {
        **shown,
        "pcr": int(entry.pcr) if entry.pcr.isdigit() else entry.pcr,
        "template": TEMPLATES[type(mode)],
        "digest": f"{mode.digest.algorithm}:{mode.digest.hash.hex()}",
        "name": str(mode.name if isinstance(mode, ast.ImaBuf) else mode.path),
        "hashHolds": is_violation or entry.ima_template_hash == Hash.SHA1.hash(mode.bytes()),
    }


def read_list(content):
    """The entries of a list in text, whose lines the verifier splits and of which it ignores the empty ones."""
    lines = content.decode("utf-8").split("\n")
    return {"entries": [read_entry(line) for line in lines if line != ""]}


def read_attest(content):
    """The fields of TPMS_ATTEST that are read."""
    read = tpm2_objects.unmarshal_tpms_attest(content)
    clock = read["clockInfo"]
    return {
        "attest": {
            "extraData": read["extraData"].hex(),
            "clock": str(clock["clock"]),
            "resetCount": clock["resetCount"],
            "restartCount": clock["restartCount"],
            "safe": clock["safe"] == 1,
            "pcrDigest": read["attested.quote.pcrDigest"].hex(),
        }
    }


for each in sys.stdin:
    given = json.loads(each)
    try:
        read = read_attest if given["kind"] == "quote" else read_list
        answer = read(base64.b64decode(given["bytes"]))
    except Exception as error:  # pylint: disable=broad-except
        answer = {"error": f"{type(error).__name__}: {error}"[:300]}
    print(json.dumps(answer), file=answers, flush=True)
