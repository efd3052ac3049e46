import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** An entry at the root of a database. */
export interface KeePassEntry {
  readonly title: string
  readonly username: string
  readonly password: string
}

/** Makes a KeePass database with KeePassXC. */
export async function writeKeePassFile(file: string, password: string, entries: readonly KeePassEntry[]): Promise<void> {
  // The key derivation may take a tenth of a second.
  await keepassxc(['db-create', '-q', '-p', '-t', '100', file], `${password}\n${password}\n`)
  for (const { title, username, password: secret } of entries)
    await keepassxc(['add', '-q', '-u', username, '-p', file, title], `${password}\n${secret}\n`)
}

/** @throws with what the command said if it fails. */
async function keepassxc(args: readonly string[], input: string): Promise<void> {
  const child = spawn('keepassxc-cli', args, {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: '/nonexistent' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`keepassxc-cli ${args[0]} ended with ${String(code)}: ${said}`)
}
