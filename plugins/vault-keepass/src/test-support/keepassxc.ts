import { spawn } from 'node:child_process'

/**
 * Runs `keepassxc-cli` with what it asks for on its input, and gives its output. @throws with its
 * output if it fails.
 */
export async function keepassxc(args: readonly string[], input = ''): Promise<string> {
  const child = spawn('keepassxc-cli', args, { env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: '/nonexistent' } })
  const out: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => out.push(piece))
  child.stderr.on('data', (piece: Buffer) => errors.push(piece))
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`keepassxc-cli ${args[0]} ended with ${code}: ${Buffer.concat([...out, ...errors])}`)
  return Buffer.concat(out).toString('utf8')
}
