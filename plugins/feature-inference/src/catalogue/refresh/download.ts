import { readAtMost } from '@agent-service/sdk/async'

/** The limits of a download. */
export interface DownloadLimits {
  /** Of the content, after decompression. */
  readonly maxBytes: number
}

const maxRedirects = 3

/**
 * The content of an address that responds with 200. Only redirects to the same host and scheme are
 * followed.
 * @throws an error whose message can be shown to the caller.
 */
export async function download(address: string, limits: DownloadLimits): Promise<Uint8Array> {
  let url = new URL(address)
  for (let redirects = 0; ; redirects += 1) {
    const response = await request(url)
    if (response.status < 300 || response.status > 399) return contentOf(response, url, limits)
    await response.body?.cancel()
    const location = response.headers.get('location') ?? ''
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined
    if (next?.origin !== url.origin) throw new Error(`${url.host} redirects to another host, which is not followed`)
    if (redirects === maxRedirects) throw new Error(`${url.host} redirects too many times`)
    url = next
  }
}

async function request(url: URL): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', headers: { accept: 'application/json' } })
  } catch (error) {
    throw new Error(`${url.host} cannot be reached`, { cause: error })
  }
}

async function contentOf(response: Response, url: URL, { maxBytes }: DownloadLimits): Promise<Uint8Array> {
  const tooLarge = (): Error => new Error(`the response of ${url.host} has more than ${maxBytes} bytes`)
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel()
    throw new Error(`${url.host} responded with ${response.status}`)
  }
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body.cancel()
    throw tooLarge()
  }
  const { bytes, cut } = await readAtMost(response.body, { maxBytes }).catch((error: unknown) => {
    throw new Error(`the response of ${url.host} was interrupted`, { cause: error })
  })
  if (cut) throw tooLarge()
  return bytes
}
