import type { ChannelSetUpStep } from '@agent-service/sdk/contracts/channel'

/** What people do to connect a mailbox. */
export const setUp: readonly ChannelSetUpStep[] = [
  {
    title: 'Make a mailbox of its own',
    text: 'Give the agent an address that no person uses, such as `help@town.example`: every message in its inbox is answered. Switch IMAP on if your provider asks for it. With two-factor sign-in make a password for programs (“app password”), and give that one.',
    members: ['address', 'name', 'user', 'password'],
  },
  {
    title: 'Where messages come in',
    text: 'The IMAP server of your provider, such as `imap.town.example`. Keep *tls* unless your provider says otherwise.',
    members: ['imap_host', 'imap_port', 'imap_security', 'mailbox'],
  },
  {
    title: 'Where answers go out',
    text: 'The SMTP server of your provider, such as `smtp.town.example`.',
    members: ['smtp_host', 'smtp_port', 'smtp_security', 'smtp_ehlo_name', 'smtp_user', 'smtp_password'],
  },
  {
    title: 'Know who writes',
    text: 'Anyone can write any sender on a message. Open a message in the mailbox, show its source, and look for the topmost `Authentication-Results:`. If it was written by your own server, copy the name behind the colon, up to the semicolon. Then senders whose domain vouches for them (DMARC or DKIM) are known by their address; all others are named `unverified:` and their address, and can be permitted only under that name.',
    members: ['authserv_id'],
  },
  {
    title: 'A certificate authority of your own, if you have one',
    text: 'Certificates of the servers are always verified. If a private authority has signed them, give its certificate as PEM.',
    members: ['ca'],
  },
]
