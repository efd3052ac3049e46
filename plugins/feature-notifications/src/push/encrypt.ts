import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** What a browser gave with its subscription. */
export interface BrowserKeys {
  /** Its public key: an uncompressed point of P-256, 65 bytes. */
  readonly p256dh: Buffer
  /** 16 bytes that only it and this service know. */
  readonly auth: Buffer
}

/** Made anew for each message; only tests pass them in. */
export interface MessageSecrets {
  readonly privateKey: Buffer
  readonly salt: Buffer
}

const recordSize = 4_096
/** Lengths are rounded up to this, so that a push service learns little from them. */
const lengthStep = 256
/** The marks that RFC 8188 and 8291 put after the names of what is derived. */
const labelOf = (name: string): Buffer => Buffer.from(`${name}\0`)

/**
 * One message for a browser, as `aes128gcm` (RFC 8188) with the keys of RFC 8291: one record, whose
 * header has the salt and the sender's public key. The push service can neither read nor change it.
 * @throws for a public key that is no point of the curve, and a text that does not fit a record.
 */
export function encryptMessage(text: string, { p256dh, auth }: BrowserKeys, secrets?: MessageSecrets): Buffer {
  const sender = createECDH('prime256v1')
  if (secrets) sender.setPrivateKey(secrets.privateKey)
  else sender.generateKeys()
  const salt = secrets?.salt ?? randomBytes(16)
  const publicKey = sender.getPublicKey()
  const shared = sender.computeSecret(p256dh)
  const input = derive(shared, { salt: auth, info: Buffer.concat([labelOf('WebPush: info'), p256dh, publicKey]), length: 32 })
  const key = derive(input, { salt, info: labelOf('Content-Encoding: aes128gcm'), length: 16 })
  const nonce = derive(input, { salt, info: labelOf('Content-Encoding: nonce'), length: 12 })
  const header = Buffer.alloc(21)
  salt.copy(header)
  header.writeUInt32BE(recordSize, 16)
  header.writeUInt8(publicKey.length, 20)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = Buffer.concat([cipher.update(padded(text, secrets === undefined)), cipher.final(), cipher.getAuthTag()])
  const message = Buffer.concat([header, publicKey, record])
  if (message.length > recordSize) throw new RangeError(`A push message has at most ${recordSize} bytes; this one has ${message.length}.`)
  return message
}

/** The text, the mark of the last record, and zeros. */
function padded(text: string, isRounded: boolean): Buffer {
  const bytes = Buffer.concat([Buffer.from(text), Buffer.of(2)])
  return isRounded ? Buffer.concat([bytes, Buffer.alloc(-bytes.length & (lengthStep - 1))]) : bytes
}

const derive = (input: Buffer, { salt, info, length }: { readonly salt: Buffer; readonly info: Buffer; readonly length: number }): Buffer =>
  Buffer.from(hkdfSync('sha256', input, salt, info, length))

/** Whether a browser's keys can be used at all. */
export function areKeysSound({ p256dh, auth }: BrowserKeys): boolean {
  try {
    encryptMessage('', { p256dh, auth })
    return p256dh.length === 65 && auth.length === 16
  } catch {
    return false
  }
}
