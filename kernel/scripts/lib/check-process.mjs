import { fileURLToPath } from 'node:url'
import { runForResult } from './run-for-result.mjs'

const script = fileURLToPath(new URL('../check.mjs', import.meta.url))

/**
 * Runs all checks on the repository at `root` in their own process. Resolves with their `output`
 * and the names of those that `failed`.
 */
export async function runCheckProcess(root) {
  const { output, result } = await runForResult((file) => [script, `--root=${root}`, `--result=${file}`], { cwd: root })
  return { output, failed: result ?? ['all, since they were interrupted'] }
}
