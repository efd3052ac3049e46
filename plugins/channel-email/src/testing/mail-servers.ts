import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { eventually } from '@agent-service/sdk/testing'
import { dovecotConfiguration, eximConfiguration } from './configurations.js'
import { type Sink, startSink } from './sink.js'

const run = promisify(execFile)

/** Dovecot and Exim of Debian on loopback ports, as processes without rights, in a folder of their own. */
export interface MailServers {
  readonly ports: { readonly imap: number; readonly imaps: number; readonly smtp: number; readonly smtps: number }
  /** The certificate of both, which signs itself. */
  readonly ca: string
  /** Where mails to `people.example` arrive. */
  readonly sink: Sink
  /** Makes an account at `town.example`. */
  addAccount(name: string, password: string): void
  /** Ends the credentials of an account. Resolves when they are refused: Dovecot reads passwords once a second. */
  revoke(name: string): Promise<void>
  /** They are good again. Resolves when they are taken. */
  restore(name: string, password: string): Promise<void>
  /** The SMTP server puts all mails off, or takes them again. */
  putOff(puts: boolean): void
  /** Puts a mail into the mailbox of an account, as a delivery agent does. Returns the name of its file. */
  store(name: string, mail: string | Uint8Array, at: Date): string
  /** The folder of a mailbox. */
  folderOf(name: string): string
  stop(): Promise<void>
}

const startMs = 20_000

/** Starts both and waits until they answer. */
export async function startMailServers(): Promise<MailServers> {
  const folder = await mkdtemp(join(tmpdir(), 'mail-servers-'))
  const owner = await ownerOf()
  const sink = await startSink()
  const running: ChildProcess[] = []
  const stop = async (): Promise<void> => {
    for (const child of running) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill()
      await once(child, 'exit')
    }
    await sink.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const start = async (command: string, args: readonly string[], ports: readonly number[]): Promise<void> => {
    const child = spawn(command, args, { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid: owner.uid, gid: owner.gid }) })
    running.push(child)
    const exited = once(child, 'exit').then(() => Promise.reject(new Error(`${command} has ended. Its log is in ${folder}.`)))
    exited.catch(() => undefined)
    await Promise.race([exited, Promise.all(ports.map(answering))])
  }
  try {
    for (const name of ['mail', 'users', 'spool', 'run']) await mkdir(join(folder, name))
    await makeCertificate(folder)
    const [imap = 0, imaps = 0, smtp = 0, smtps = 0] = await freePorts(4)
    const ports = { imap, imaps, smtp, smtps }
    const place = { folder, ports, owner, sinkPort: sink.port }
    await writeFile(join(folder, 'dovecot.conf'), dovecotConfiguration(place))
    await writeFile(join(folder, 'exim.conf'), eximConfiguration(place))
    await writeFile(join(folder, 'smtp-users'), '')
    if (process.getuid?.() === 0) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, folder])
    await start('/usr/sbin/dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], [imap, imaps])
    await start('/usr/sbin/exim4', ['-bdf', '-q1h', '-C', join(folder, 'exim.conf')], [smtp, smtps])
    const passwords = new Map<string, string>()
    const own = (path: string): void => {
      if (process.getuid?.() === 0) chownSync(path, owner.uid, owner.gid)
    }
    const writePasswords = (): void =>
      writeFileSync(join(folder, 'smtp-users'), [...passwords].map(([name, password]) => `${name}: ${password}\n`).join(''))
    const folderOf = (name: string): string => join(folder, 'mail', name)
    let count = 0
    const addAccount = (name: string, password: string): void => {
      for (const path of ['', 'cur', 'new', 'tmp'].map((each) => join(folderOf(name), each))) {
        mkdirSync(path, { recursive: true })
        own(path)
      }
      const file = join(folder, 'users', name)
      writeFileSync(file, `${name}:{PLAIN}${password}\n`)
      own(file)
      passwords.set(name, password)
      writePasswords()
    }
    return {
      ...{ ports, sink, folderOf, stop, addAccount, ca: await readFile(join(folder, 'cert.pem'), 'utf8') },
      async revoke(name) {
        const password = passwords.get(name) ?? ''
        rmSync(join(folder, 'users', name))
        passwords.delete(name)
        writePasswords()
        await eventually(async () => !(await isTaken(imap, name, password)), { what: `the revocation of ${name}` })
      },
      async restore(name, password) {
        addAccount(name, password)
        await eventually(() => isTaken(imap, name, password), { what: `the restoration of ${name}` })
      },
      putOff(puts) {
        if (puts) writeFileSync(join(folder, 'busy'), '')
        else rmSync(join(folder, 'busy'))
      },
      store(name, mail, at) {
        count += 1
        const file = `${1_790_000_000 + count}.M${count}.bench`
        const temporary = join(folderOf(name), 'tmp', file)
        writeFileSync(temporary, mail)
        own(temporary)
        utimesSync(temporary, at, at)
        const into = join(folderOf(name), 'new')
        renameSync(temporary, join(into, file))
        // Dovecot looks anew into a folder whose second has changed, and otherwise only some seconds later.
        const changed = new Date(Date.now() + count * 1_000)
        utimesSync(into, changed, changed)
        return file
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The tests' own user; without rights if that is root. */
async function ownerOf() {
  const { uid, gid, username } = userInfo()
  if (uid === 0) {
    const [user, group] = await Promise.all([run('id', ['-u', 'nobody']), run('id', ['-g', 'nobody'])])
    const { stdout } = await run('id', ['-gn', 'nobody'])
    return { uid: Number(user.stdout), gid: Number(group.stdout), user: 'nobody', group: stdout.trim() }
  }
  return { uid, gid, user: username, group: (await run('id', ['-gn'])).stdout.trim() }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Resolves once a connection to the port is taken. */
async function answering(port: number): Promise<void> {
  const end = performance.now() + startMs
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'close').then(() => false)]).catch(
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    if (performance.now() > end) throw new Error(`Nothing answers at the port ${port}.`)
    await setTimeout(20)
  }
}

/** Whether Dovecot takes a password. */
async function isTaken(port: number, name: string, password: string): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let text = ''
  try {
    socket.write(`a LOGIN ${name} ${password}\r\n`)
    for await (const piece of socket) {
      text += String(piece)
      const [, answer] = /(?:^|\n)a (OK|NO)/.exec(text) ?? []
      if (answer !== undefined) return answer === 'OK'
    }
    throw new Error('Dovecot gave no answer to a sign-in.')
  } finally {
    socket.destroy()
  }
}

async function makeCertificate(folder: string): Promise<void> {
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
  ])
  await chown(join(folder, 'key.pem'), process.getuid?.() ?? 0, process.getgid?.() ?? 0)
}
