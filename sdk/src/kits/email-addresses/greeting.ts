const name = /^(?!-)[a-z\d-]{1,63}(?<!-)(?:\.(?!-)[a-z\d-]{1,63}(?<!-))*$/i
const literal = /^\[(?:[\d.]{7,15}|IPv6:[\da-f:.]{2,45})\]$/i

/**
 * Whether a text can stand in EHLO (RFC 5321, 4.1.1.1): a host name in ASCII, or an IP address in brackets. Such a text has no
 * blank and no line break, so it cannot become another command.
 *
 * @example
 * isGreetingName('agents.example.org') // true
 * isGreetingName('[IPv6:2001:db8::1]') // true
 */
export const isGreetingName = (text: string): boolean => text.length <= 255 && (name.test(text) || literal.test(text))
