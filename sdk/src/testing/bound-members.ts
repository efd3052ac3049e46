/**
 * What an author's `create` returned, with functions that may be taken out of it: those of a class
 * use `this`. Changes nothing of the subject, which may be frozen.
 */
export const boundMembers = <Subject extends object>(subject: Subject): Subject =>
  new Proxy({} as Subject, {
    get(_, name) {
      const member: unknown = Reflect.get(subject, name, subject)
      return typeof member === 'function' ? member.bind(subject) : member
    },
    has: (_, name) => name in subject,
  })
