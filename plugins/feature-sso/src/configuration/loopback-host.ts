/**
 * Whether a host name, as `URL.hostname` has it, is this machine's own whatever a name server says.
 */
export const isLoopbackHost = (hostname: string): boolean => /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/.test(hostname)
