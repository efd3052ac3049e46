import { Type } from '@agent-service/sdk'

/** Bodies under `/api/auth/`, in bytes. */
export const authBodyLimit = 64 * 1024

/** Text, or null for none. */
export const optionalText = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))

/** The optional fields of a profile. */
export const profileFields = {
  email: optionalText('One address, name@domain: in lower case, with the domain in ASCII; unique if set.'),
  name: optionalText('For people to read.'),
  timezone: optionalText('IANA, such as Europe/Berlin.'),
  language: optionalText('A tag, such as de or pt-BR. The service writes e-mails in it as far as it speaks it, otherwise in English.'),
}

/** The fields of a new account. */
export const accountFields = {
  username: Type.String({ maxLength: 200, description: '2 to 32 characters: a–z, 0–9, “_”, “-”, a letter first.' }),
  password: Type.String({ description: '8 to 1024 bytes of UTF-8.' }),
  ...profileFields,
}
