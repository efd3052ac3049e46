/** The name of the store in errors. */
export const vault = 'The Bitwarden server'
