"""Records test/fixtures/salt-states: the low state that Salt's own compiler makes of trees of state files.

The trees are state-trees/*.txt. A tree begins with YAML about the machine (`grains`, `pillar`, `ask`); each file follows
`==== path`. `ask` lists what is compiled: a list of names as state.apply takes them, or `top` for the top file; without it
every state file alone.

    record_low_states.py                    writes the fixtures
    record_low_states.py --tree DIR [FILE]  prints what comes of each state file of a directory, for a trial; FILE is YAML as above
"""
import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import salt.config
import salt.exceptions
import salt.loader
import salt.state
import salt.utils.requisite
import yaml

FOLDER = Path(__file__).parent / "state-trees"
FIXTURES = Path(__file__).parents[2] / "test" / "fixtures" / "salt-states"
MINION = "web01"
GRAINS = {
    "id": MINION, "host": MINION, "fqdn": "web01.example.net", "os": "Debian", "os_family": "Debian", "osfinger": "Debian-12",
    "oscodename": "bookworm", "osmajorrelease": 12, "osrelease": "12", "osarch": "amd64", "kernel": "Linux", "init": "systemd",
    "cpuarch": "x86_64", "num_cpus": 4, "mem_total": 7957, "virtual": "kvm", "roles": ["web", "cache"],
}
# What a chunk holds besides the arguments of its function.
OWN_KEYS = {"state", "fun", "name", "order", "name_order", "__id__", "__sls__"}
REQUISITES = {str(kind) for kind in salt.utils.requisite.RequisiteType}
INVERSE = {f"{kind}_in" for kind in REQUISITES}
# Read by the compiler itself, and gone afterwards.
SPENT = {"use", "use_in"}


class Recorder(salt.state.State):
    """Salt turns watch into require where a state has no mod_watch; the kind that was written is kept here."""

    def _reconcile_watch_req(self, low):
        pass


def options(root, machine):
    opts = salt.config.apply_minion_config({}, minion_id=MINION)
    scratch = Path(root).parent / "salt"
    opts.update(
        id=MINION, file_client="local", root_dir=str(scratch), cachedir=str(scratch / "cache"), pki_dir=str(scratch / "pki"),
        sock_dir=str(scratch / "sock"), conf_file=str(scratch / "minion"), extension_modules=str(scratch / "ext"),
        file_roots={"base": [str(root)]}, pillar_roots={"base": []}, fileserver_backend=["roots"], state_auto_order=True,
        grains={**GRAINS, **machine.get("grains", {})}, log_level="quiet",
    )
    return opts


def compiled(root, machine, ask):
    """Low chunks, or why there are none."""
    high_state = salt.state.HighState(options(root, machine), initial_pillar=machine.get("pillar", {}))
    high_state.state.__class__ = Recorder
    high_state.opts["pillar"] = high_state.state.opts["pillar"] = machine.get("pillar", {})
    try:
        chunks, high, errors = compile_with(high_state, ask)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, salt.exceptions.SaltException) as error:
        # Salt itself stumbles; for the user that is an error too.
        return {"errors": [f"{type(error).__name__}: {error}"]}
    finally:
        high_state.destroy()
    if errors:
        return {"errors": errors}
    # A state that is the target of a prereq stands there twice, once to be looked at.
    once = {id(chunk): chunk for chunk in chunks}.values()
    return {"low": [chunk_of(chunk, high, high_state.state.dependency_dag) for chunk in once]}


def compile_with(high_state, ask):
    """Chunks, high data and errors; the steps are those of state.show_low_sls."""
    state = high_state.state
    if ask == "top":
        top = high_state.get_top()
        errors = high_state.verify_tops(top)
        if errors:
            return [], {}, errors
        matches = high_state.top_matches(top)
    else:
        matches = {"base": ask}
    high, errors = high_state.render_highstate(matches)
    errors += state.verify_high(high) if not errors else []
    if not errors:
        high, more = state.reconcile_extend(high)
        errors += more + state.verify_high(high)
    if not errors:
        high, more = state.requisite_in(high)
        errors += more
        high = state.apply_exclude(high)
    if errors:
        return [], {}, errors
    chunks, errors = state.compile_high_data(high)
    return chunks, high, errors


def chunk_of(chunk, high, graph):
    made = {key: chunk[key] for key in ("state", "fun", "name", "order")}
    made.update(id=chunk["__id__"], sls=chunk["__sls__"])
    # `first`, `last` and what counts from the end are numbers now. A function that came with `extend` has none.
    said = [arg["order"] for arg in high[chunk["__id__"]][chunk["state"]] if isinstance(arg, dict) and "order" in arg]
    made["said"] = said[-1] if said else None
    made["args"] = {
        key: value for key, value in chunk.items()
        if key not in OWN_KEYS | REQUISITES | INVERSE | SPENT and not key.startswith("__")
    }
    made["needs"] = needs_of(chunk, graph)
    return made


def needs_of(chunk, graph):
    """The states that each requisite means, as [state.fun, id, name]. A prereq also shows as a require of its target."""
    tag = salt.utils.requisite._gen_tag(chunk)
    needs = {}
    for source, _, kind in graph.dag.in_edges(tag, keys=True):
        needs.setdefault(str(kind), set()).add(key_of(graph.dag.nodes[source]["chunk"]))
    # These are resolved only when a run ends; the rule is the same.
    for item in chunk.get("listen", []):
        (family, target), = ({"id": item} if isinstance(item, str) else item).items()
        for found in graph.nodes_lookup_map.get((family, target), []):
            needs.setdefault("listen", set()).add(key_of(graph.dag.nodes[found]["chunk"]))
    for node in graph.dag.nodes.values():
        other = node["chunk"]
        for item in other.get("listen_in", []):
            (family, target), = ({"id": item} if isinstance(item, str) else item).items()
            if tag in graph.nodes_lookup_map.get((family, target), []):
                needs.setdefault("listen", set()).add(key_of(other))
    return {kind: sorted(map(list, found)) for kind, found in sorted(needs.items())}


def key_of(chunk):
    return (f"{chunk['state']}.{chunk['fun']}", chunk["__id__"], chunk["name"])


def files_asked(paths):
    """Every state file, as one asks for it."""
    for path in sorted(paths):
        if path.endswith(".sls") and path != "top.sls":
            parts = path[: -len(".sls")].split("/")
            if not any("." in part for part in parts):
                yield [".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "init" else parts)]


def read_tree(path):
    head, *parts = ("\n" + path.read_text()).split("\n==== ")
    named = [part.partition("\n") for part in parts]
    files = {name: text + "\n" if text and not text.endswith("\n") else text for name, _, text in named}
    return yaml.safe_load(head) or {}, files


def record_tree(path, scratch):
    machine, files = read_tree(path)
    root = Path(scratch) / path.stem / "states"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    grains = {**GRAINS, **machine.get("grains", {})}
    asked = machine.get("ask") or list(files_asked(files))
    cases = [{"ask": ask, **without_paths(compiled(root, machine, ask), root)} for ask in asked]
    return {"tree": path.stem, "grains": grains, "pillar": machine.get("pillar", {}), "files": files, "cases": cases}


def without_paths(case, root):
    if "errors" in case:
        return {"errors": [str(error).replace(str(root.parent), "").split("\nTraceback")[0] for error in case["errors"]]}
    return case


def main():
    logging.disable(logging.CRITICAL)
    if sys.argv[1:2] == ["--tree"]:
        root = Path(sys.argv[2])
        machine = yaml.safe_load(Path(sys.argv[3]).read_text()) if len(sys.argv) > 3 else {}
        paths = [str(path.relative_to(root)) for path in root.rglob("*.sls")]
        print(json.dumps({"grains": {**GRAINS, **machine.get("grains", {})}, "pillar": machine.get("pillar", {})}, default=str))
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copytree(root, Path(scratch) / "states")
            for ask in files_asked(paths):
                case = {"ask": ask, **without_paths(compiled(Path(scratch) / "states", machine, ask), Path(scratch) / "states")}
                print(json.dumps(case, default=str), flush=True)
        return
    FIXTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, (FIXTURES / "low-states.jsonl").open("w") as out:
        for path in sorted(FOLDER.glob("*.txt")):
            out.write(json.dumps(record_tree(path, scratch), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
