/**
 * First thing of every program, between the shell script and the bundle: an old Node would meet the bundle with a stack
 * of syntax errors or with a call that is not there yet. So this file is written in the JavaScript of 2009, which every
 * Node reads (a test checks that), and looks at the version before it loads anything.
 *
 * Called as: node start.cjs <bundle> <words …>. The bundle then finds its arguments as if it had been started itself.
 */
'use strict';

var FLOOR = [20, 19];

var bundle = process.argv[2];
var name = bundle.replace(/^.*\//, '').replace(/\.cjs$/, '');
var here = process.versions.node;
var parts = here.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);
var refusal = ['needs Node', FLOOR.join('.'), 'or newer; this is', here, 'at', process.execPath].join(' ');

if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) {
  process.argv.splice(1, 1);
  require('./code-cache.cjs').run(bundle);
} else {
  process.stderr.write([name, ': ', refusal, '\n'].join(''));
  process.exitCode = 1;
}
