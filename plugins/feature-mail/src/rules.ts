import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'
import { isGreetingName, mailbox } from '@agent-service/sdk/email-addresses'

/** Incomplete settings send nothing, and are most likely a mistake. */
const warnOfPartialMail: ConfigurationRule = (configuration) => {
  const mail = configuration['mail'] as JsonObject
  const isSet = (name: string): boolean => mail[name] !== undefined
  const pairs = [
    ['host', 'from'],
    ['from', 'host'],
    ['user', 'password'],
    ['password', 'user'],
    ['user', 'host'],
  ] as const
  return pairs
    .filter(([name, needed]) => isSet(name) && !isSet(needed))
    .map(
      ([name, needed]) => ({ path: `mail.${name}`, severity: 'warning', message: `no e-mail is sent: mail.${needed} is not set` }) as const,
    )
}

/** A sender is one address, with or without a name. */
const refuseUnusableSender: ConfigurationRule = (configuration) => {
  const { from } = configuration['mail'] as JsonObject
  if (typeof from !== 'string' || mailbox(from) !== undefined) return []
  return [
    {
      path: 'mail.from',
      message:
        'must be one e-mail address, with or without a name: Agent Service <agents@example.org>. A name with a comma or another special character stands in quotes: "Agents, House" <agents@example.org>. The domain has a dot, or is localhost',
    },
  ]
}

/** It becomes a part of a command. */
const refuseUnusableGreeting: ConfigurationRule = (configuration) => {
  const { ehlo_name } = configuration['mail'] as JsonObject
  if (typeof ehlo_name !== 'string' || isGreetingName(ehlo_name)) return []
  return [
    {
      path: 'mail.ehlo_name',
      message: 'must be a host name such as agents.example.org, or an IP address in brackets such as [192.0.2.1] or [IPv6:2001:db8::1]',
    },
  ]
}

export const rules: readonly ConfigurationRule[] = [warnOfPartialMail, refuseUnusableSender, refuseUnusableGreeting]
