/** The code can be in the address that the service printed: `/?setup_code=…`. */
export const codeOfAddress = (): string => new URLSearchParams(location.search).get('setup_code') ?? ''
