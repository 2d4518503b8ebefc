// Builds the wheel and the sdist of the Python test kit with our own backend (build_backend.py says why). Needs python3.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../tree.mjs';

export const PYTHON_FOLDER = 'packages/testing/python';

export const hasPython = () => spawnSync('python3', ['--version']).status === 0;

/**
 * @param {string} folder for the files
 * @returns {string[]} the paths of the wheel and the sdist
 */
export function packPython(folder) {
  const args = ['-B', join(root, PYTHON_FOLDER, 'build_backend.py'), folder];
  const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`python3 build_backend.py: ${stderr}`);
  return stdout.trim().split('\n');
}
