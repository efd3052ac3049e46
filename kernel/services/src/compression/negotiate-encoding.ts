import Negotiator from 'negotiator'

/** The content codings that the service sends, the smaller first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/**
 * The coding for an answer by the `Accept-Encoding` of its request (RFC 9110, 12.5.3): what the client
 * prefers of the `available` ones, and the smaller one if it does not care. `undefined` is the answer as it
 * is: for clients that do not send the header, and for those that take nothing that there is, since
 * an error would help them less.
 */
export function encodingFor(
  headers: { readonly 'accept-encoding'?: string | readonly string[] | undefined },
  available: readonly Encoding[],
): Encoding | undefined {
  // The types of the library do not know its second parameter.
  const negotiator: { encodings(among: readonly string[], options: { readonly preferred: readonly string[] }): readonly string[] } =
    new Negotiator({ headers: { 'accept-encoding': headers['accept-encoding'] } })
  const [best] = negotiator.encodings([...available, 'identity'], { preferred: encodings })
  return available.find((each) => each === best)
}
