"""Salt's statements on the oracle's side, written for these recordings: load_*, import_* and profile."""
import json

import yaml
from jinja2 import nodes
from jinja2.ext import Extension

from yaml_resolver import SaltLoader

LOAD = ("load_yaml", "load_json", "load_text")
IMPORT = ("import_yaml", "import_json", "import_text")


class SaltStatements(Extension):
    tags = {*LOAD, *IMPORT, "profile"}

    def parse(self, parser):
        word = parser.stream.current.value
        if word in IMPORT:
            return self.parse_import_data(parser, word.removeprefix("import_"))
        line = next(parser.stream).lineno
        parser.stream.expect("name:as")
        if word == "profile":
            parser.parse_expression()
            body = parser.parse_statements(("name:endprofile",), drop_needle=True)
            return nodes.Scope(body).set_lineno(line)
        target = parser.parse_assign_target()
        body = parser.parse_statements(("name:endload",), drop_needle=True)
        # The captured text goes by the target's own name for a moment: nothing else can see it.
        captured = nodes.AssignBlock(target, None, body).set_lineno(line)
        text = nodes.Name(target.name, "load")
        return [captured, self.assign(nodes.Name(target.name, "store"), word.removeprefix("load_"), text, line)]

    def parse_import_data(self, parser, kind):
        node = parser.parse_import()
        target = nodes.Name(node.target, "store")
        return [node, self.assign(target, kind, nodes.Name(node.target, "load"), node.lineno)]

    def assign(self, target, kind, value, line):
        return nodes.Assign(target, self.call_method("read_" + kind, [value]), lineno=line)

    def read_yaml(self, value):
        return yaml.load(_text(value), Loader=SaltLoader)

    def read_json(self, value):
        return json.loads(_text(value))

    def read_text(self, value):
        return _text(value)


def _text(value):
    return str(value)
