/** Where the servers are. */
export interface Place {
  readonly folder: string
  readonly ports: { readonly imap: number; readonly imaps: number; readonly smtp: number; readonly smtps: number }
  readonly owner: { readonly uid: number; readonly gid: number; readonly user: string; readonly group: string }
  readonly sinkPort: number
}

/** Mailboxes as Maildir folders; each account has a file with its password. */
export const dovecotConfiguration = ({ folder, ports, owner }: Place): string => `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/dovecot.log
default_internal_user = ${owner.user}
default_internal_group = ${owner.group}
default_login_user = ${owner.user}
first_valid_uid = 1
first_valid_gid = 1
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%u
maildir_stat_dirs = yes
mail_max_userip_connections = 100
service imap-login {
  chroot =
  service_count = 0
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap {
  service_count = 200
  process_min_avail = 2
}
service stats {
  chroot =
}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${folder}/users/%u
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}/mail/%u
}
`

/**
 * Takes mails of accounts, after a sign-in, and mails to accounts. Those to people are handed to the sink
 * before the account's program gets its answer.
 */
export const eximConfiguration = ({ folder, ports, owner, sinkPort }: Place): string => `
primary_hostname = mx.town.example
spool_directory = ${folder}/spool
log_file_path = ${folder}/exim-%slog
pid_file_path = ${folder}/exim.pid
daemon_smtp_ports = ${ports.smtp} : ${ports.smtps}
local_interfaces = 127.0.0.1
tls_on_connect_ports = ${ports.smtps}
tls_advertise_hosts = *
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
exim_user = ${owner.user}
exim_group = ${owner.group}
deliver_drop_privilege = true
keep_environment =
add_environment =
host_lookup =
smtp_accept_max = 100
smtp_accept_max_per_host = 100
smtp_accept_queue_per_connection = 100
message_size_limit = 40M
acl_smtp_mail = accept
acl_smtp_rcpt = check_rcpt
acl_smtp_data = accept
begin acl
check_rcpt:
  deny !authenticated = *
       domains = people.example
       message = relay not permitted
  defer condition = \${if exists{${folder}/busy}{yes}{no}}
       message = 4.7.1 come again later
  warn domains = people.example
       control = cutthrough_delivery
  accept domains = people.example : town.example
  deny message = relay not permitted
begin routers
local:
  driver = accept
  domains = town.example
  local_parts = dsearch,filter=dir;${folder}/mail
  transport = maildir
people:
  driver = manualroute
  domains = people.example
  route_list = * 127.0.0.1 byname
  self = send
  transport = sink
begin transports
maildir:
  driver = appendfile
  maildir_format
  directory = ${folder}/mail/$local_part_data
  delivery_date_add
  envelope_to_add
  return_path_add
  user = ${owner.user}
  group = ${owner.group}
sink:
  driver = smtp
  port = ${sinkPort}
  allow_localhost
  hosts_avoid_tls = *
begin retry
* * F,1h,1m
begin rewrite
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if eq{$auth3}{\${lookup{$auth2}lsearch{${folder}/smtp-users}{$value}fail}}}
  server_set_id = $auth2
`
