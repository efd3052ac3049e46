/**
 * Names that programs, their loaders or this service read for themselves. A grant that could set
 * one would decide what a process runs, whom it trusts or where it connects, not only what it knows.
 */
const reserved: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'OLDPWD', 'TMPDIR', 'TMP', 'TEMP', 'HOSTNAME', 'TERM', 'TZ', 'LANG', 'LANGUAGE'],
  ...['IFS', 'ENV', 'CDPATH', 'PS1', 'PS2', 'PS3', 'PS4', 'PROMPT_COMMAND', 'SHELLOPTS', 'GLOBIGNORE', 'ZDOTDIR', 'FPATH', 'MAIL'],
  ...['EDITOR', 'VISUAL', 'PAGER', 'MANPAGER', 'BROWSER', 'LESSOPEN', 'LESSCLOSE', 'DISPLAY', 'TERMINFO', 'TERMINFO_DIRS', '_'],
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_REPL_EXTERNAL_MODULE', 'NODE_ICU_DATA'],
  ...[
    'PERL5LIB',
    'PERL5OPT',
    'PERL5DB',
    'PERLLIB',
    'RUBYOPT',
    'RUBYLIB',
    'RUBYSHELL',
    'GEM_HOME',
    'GEM_PATH',
    'BUNDLE_GEMFILE',
    'LUA_INIT',
  ],
  ...[
    'LUA_PATH',
    'LUA_CPATH',
    'PHPRC',
    'PHP_INI_SCAN_DIR',
    'CLASSPATH',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'JDK_JAVA_OPTIONS',
    'JAVA_HOME',
  ],
  ...[
    'RUSTC_WRAPPER',
    'CC',
    'CXX',
    'LIBRARY_PATH',
    'CPATH',
    'MAKEFLAGS',
    'MAKEFILES',
    'GOFLAGS',
    'GOROOT',
    'OPENSSL_CONF',
    'OPENSSL_MODULES',
  ],
  ...['OPENSSL_ENGINES', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'SSLKEYLOGFILE', 'CURL_CA_BUNDLE', 'CURL_HOME', 'REQUESTS_CA_BUNDLE', 'WGETRC'],
  ...['SSH_ASKPASS', 'SSH_AUTH_SOCK', 'SUDO_ASKPASS', 'LOCALDOMAIN', 'RES_OPTIONS', 'HOSTALIASES', 'GCONV_PATH', 'GETCONF_DIR', 'NLSPATH'],
  ...['LOCPATH', 'NIS_PATH', 'RESOLV_HOST_CONF', 'GLIBC_TUNABLES', 'PYTHONPATH', 'PYTHONHOME', 'UV_THREADPOOL_SIZE'],
])

const reservedPrefixes = [
  ...[
    'LD_',
    'DYLD_',
    'BASH_',
    'LC_',
    'XDG_',
    'MALLOC_',
    'PYTHON',
    'GIT_',
    'NPM_CONFIG_',
    'SUDO_',
    'SSL_CERT_',
    'OPENSSL_',
    'DOTNET_STARTUP_',
  ],
  ...['AGENT_SERVICE_', 'SERVICE_', 'SANDBOX_'],
]

/** Proxies, options of interpreters, programs that are run in place of others, and where packages come from, of any program. */
const reservedEnds = ['_PROXY', '_OPTS', '_OPTIONS', '_WRAPPER', '_RSH', '_CA_BUNDLE', '_INDEX_URL', '_TRUSTED_HOST']

/** What a variable of a grant may be called. */
export const variablePattern = '^[A-Za-z_][A-Za-z0-9_]{0,99}$'

/** Why a process of an agent may not get a variable of this name, as words that follow it; `undefined` if it may. */
export function problemWithVariable(name: string): string | undefined {
  if (!new RegExp(variablePattern).test(name)) return 'must have letters, digits and “_”, a letter or “_” first, 100 at most'
  // Programs read some names in both cases, such as https_proxy.
  const upper = name.toUpperCase()
  const isReserved =
    reserved.has(upper) || reservedEnds.some((end) => upper.endsWith(end)) || reservedPrefixes.some((prefix) => upper.startsWith(prefix))
  return isReserved ? `must not be “${name}”, which programs or the service read for themselves` : undefined
}

/** The name of a variable for a field, from its names: `GITHUB_TOKEN`. Null if that may not be one. */
export function variableFor(credential: string, field: string): string | null {
  const name = `${credential}_${field}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return problemWithVariable(name) === undefined ? name : null
}
