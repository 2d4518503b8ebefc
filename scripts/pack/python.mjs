// The wheel and the sdist of the test kit for Python. Python builds them with a backend of our own (build_backend.py says
// why); without Python there are none.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../tree.mjs';

export const PYTHON_FOLDER = 'packages/testing/python';

export const hasPython = () => spawnSync('python3', ['--version']).status === 0;

/**
 * @param {string} folder where they go
 * @returns {string[]} the paths of the wheel and the sdist
 */
export function packPython(folder) {
  const args = ['-B', join(root, PYTHON_FOLDER, 'build_backend.py'), folder];
  const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`python3 build_backend.py: ${stderr}`);
  return stdout.trim().split('\n');
}
