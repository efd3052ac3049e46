import { readAtMost } from '@agent-service/sdk/async'

/** What a download may cost. */
export interface DownloadLimits {
  /** Of the content, as it is after decompression. */
  readonly bytes: number
}

const maxRedirects = 3

/**
 * The content of an address that answers 200. Redirects are followed on the same host by the same scheme alone.
 * @throws an error whose message is the reason, fit for an answer.
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
    if (redirects === maxRedirects) throw new Error(`${url.host} redirects too often`)
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

async function contentOf(response: Response, url: URL, { bytes: limit }: DownloadLimits): Promise<Uint8Array> {
  const tooLarge = (): Error => new Error(`the answer of ${url.host} has more than ${limit} bytes`)
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel()
    throw new Error(`${url.host} answered ${response.status}`)
  }
  if (Number(response.headers.get('content-length') ?? 0) > limit) {
    await response.body.cancel()
    throw tooLarge()
  }
  const { bytes, cut } = await readAtMost(response.body, { maxBytes: limit }).catch((error: unknown) => {
    throw new Error(`the answer of ${url.host} broke off`, { cause: error })
  })
  if (cut) throw tooLarge()
  return bytes
}
