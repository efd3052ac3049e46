import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/** Whether e-mail can be sent. */
export type MailStatus =
  | { readonly available: true }
  | {
      readonly available: false
      /** `not_configured`: the section `mail` names no server or sender. */
      readonly code: 'not_configured' | 'password_missing'
      /** A sentence for people. */
      readonly reason: string
    }

/** An e-mail to one user, at the confirmed address of the account. */
export interface MailInput {
  /** Who gets it. The address is read when it is sent, and has to be confirmed then too. */
  readonly userId: string
  /** 1 to 200 characters: a second e-mail with the same key is not stored. */
  readonly key: string
  /** One line; the first 200 characters count, and line breaks become spaces. */
  readonly subject: string
  /** Plain text; the first 20,000 characters count. An empty line begins a paragraph. */
  readonly text: string
  /** A button below the text. `path` is that of a page of this service: `/tasks/1`. */
  readonly link?: { readonly label: string; readonly path: string }
  /** Why the person gets it, below the rest: `You get this because a task failed.` */
  readonly footer?: string
  /**
   * Where one click ends e-mails of this kind: a path of the API that answers GET with a page and
   * takes POST (RFC 8058). In the headers and below the text.
   */
  readonly unsubscribePath?: string
}

/** What became of an e-mail. */
export interface MailOutcome {
  /** Of the stored e-mail. */
  readonly id: string
  /**
   * `stored`: it will be sent; `known`: one with this key is stored or was sent;
   * `unconfirmed_address`: the person has not confirmed the address of the account.
   */
  readonly outcome: 'stored' | 'known' | 'no_address' | 'unconfirmed_address' | 'unavailable' | 'too_many'
}

/** A test e-mail was not accepted by the server. */
export const mailRejectedError = defineError<{ readonly reason: string }>({
  code: 'mail_rejected',
  status: 502,
  title: 'E-mail not accepted',
  message: ({ reason }) => `The mail server did not take the e-mail: ${reason}`,
})

/**
 * E-mail to users. What is handed over is stored and sent soon, again and again for two days if the
 * server does not take it.
 *
 * @example
 * const mail = context.use(mailService)
 * const status = mail?.status()
 * if (status?.available) await mail?.send({ userId, key: `welcome/${userId}`, subject: 'Welcome', text: 'Your account is ready.' })
 */
export interface Mail {
  /** As the configuration has it now; says nothing about whether the server answers. */
  status(): MailStatus
  /**
   * Stores an e-mail durably; it is sent in the background, so that a slow server slows nobody.
   * Nothing is stored if no server is configured, the user has no confirmed address, or too many
   * wait.
   */
  send(mail: MailInput): Promise<MailOutcome>
}

/** E-mail to users. Provided by `feature-mail`. */
export const mailService = defineServiceReference<Mail>()('mail')
