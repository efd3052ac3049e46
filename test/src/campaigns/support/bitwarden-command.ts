import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { peerFile } from '../../bench/peers.js'

/** An item as the official command prints it. */
export interface CommandItem {
  readonly id: string
  readonly type: number
  readonly name: string
  readonly notes: string | null
  readonly revisionDate: string
  readonly fields?: readonly { readonly name: string; readonly value: string | null; readonly type: number }[]
  readonly login?: {
    readonly username: string | null
    readonly password: string | null
    readonly totp: string | null
    readonly uris?: readonly { readonly uri: string }[]
  }
  readonly card?: Readonly<Record<string, string | null>>
  readonly identity?: Readonly<Record<string, string | null>>
  readonly sshKey?: Readonly<Record<string, string | null>>
  readonly passwordHistory?: readonly { readonly password: string }[] | null
}

/** The official command, signed in to a server and unlocked. */
export interface BitwardenCommand {
  run(...args: readonly string[]): Promise<string>
  items(): Promise<readonly CommandItem[]>
}

interface SignIn {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly password: string
  /** A certificate to trust. */
  readonly certificateFile: string
  /** A folder for its data. */
  readonly folder: string
}

/** Signs in with the API key and unlocks with the master password, both from its environment. @throws with its output when it fails. */
export async function signInCommand({ url, clientId, clientSecret, password, certificateFile, folder }: SignIn): Promise<BitwardenCommand> {
  const data = path.join(folder, 'bw')
  await mkdir(data)
  const environment: Record<string, string> = {
    ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, NODE_EXTRA_CA_CERTS: certificateFile, BITWARDENCLI_APPDATA_DIR: data },
    ...{ BW_CLIENTID: clientId, BW_CLIENTSECRET: clientSecret, BW_PASSWORD: password, BW_NOINTERACTION: 'true' },
  }
  const run = (...args: readonly string[]): Promise<string> => runCommand(args, environment)
  await run('config', 'server', url)
  await run('login', '--apikey')
  environment['BW_SESSION'] = (await run('unlock', '--passwordenv', 'BW_PASSWORD', '--raw')).trim()
  return {
    run,
    async items() {
      await run('sync')
      return JSON.parse(await run('list', 'items')) as readonly CommandItem[]
    },
  }
}

async function runCommand(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const program = peerFile('bitwarden-cli', 'node_modules/@bitwarden/cli/build/bw.js')
  const child = spawn(process.execPath, [program, ...args], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 })
  const [out, errors]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (piece: Buffer) => out.push(piece))
  child.stderr.on('data', (piece: Buffer) => errors.push(piece))
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0)
    throw new Error(
      `bw ${args[0]} ended with ${code}: ${Buffer.concat([...out, ...errors])
        .toString('utf8')
        .slice(0, 2_000)}`,
    )
  return Buffer.concat(out).toString('utf8')
}
