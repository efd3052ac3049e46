/**
 * A program for the Python of an environment: `<days> <lock> <pinned> <requirements…>`. It asks pip what
 * it would install, leaves out releases that are younger than `days` as far as the index says when they
 * were made, and installs exactly what it looked at, by its hash. Nothing that comes from an index is
 * built, so that it runs no program while it is installed. `lock` keeps the hashes; a file that has the
 * name of one that was installed before and another hash is refused, and if `pinned` is not empty, the
 * releases of the lock are wanted again.
 */
export const pythonInstaller = `
import ast, base64, json, os, re, ssl, subprocess, sys, urllib.error, urllib.parse, urllib.request
from datetime import datetime, timedelta, timezone

days, lock_path, pinned, *wanted = sys.argv[1:]
temporary = os.environ['TMPDIR']
quiet = ['--quiet', '--no-input', '--disable-pip-version-check', '--cache-dir', os.path.join(temporary, 'pip')]
common = [*quiet, '--only-binary=:all:']
newest = datetime.now(timezone.utc) - timedelta(days=int(days))

# Where packages come from is as pip is configured, and nothing else: its files can name further requirements, and programs to run.
origins = ['index-url', 'extra-index-url', 'find-links', 'no-index', 'trusted-host', 'proxy', 'cert', 'client-cert', 'timeout', 'retries', 'use-feature', 'pre']
plainly = {name: value for name, value in os.environ.items() if not name.startswith('PIP_')}
plainly['PIP_CONFIG_FILE'] = os.devnull

def pip(*words):
    code = subprocess.run([sys.executable, '-m', 'pip', *words], env=plainly).returncode
    return 128 - code if code < 0 else code

def said(*words, environment):
    return subprocess.run([sys.executable, '-m', 'pip', *words], stdout=subprocess.PIPE, text=True, env=environment).stdout

def write(name, lines):
    path = os.path.join(temporary, name)
    with open(path, 'w') as file:
        file.writelines(line + '\\n' for line in lines)
    return path

def plain(name):
    return re.sub('[-_.]+', '-', name).lower()

def settings():
    found = {}
    own = ['--python', sys.executable] if version >= [22, 3] else []
    for line in said(*own, 'config', 'list', '--disable-pip-version-check', environment=os.environ).splitlines():
        name, _, value = line.partition('=')
        found[name.split('.')[-1].strip()] = str(ast.literal_eval(value))
    return found

def open_index(url):
    parts = urllib.parse.urlsplit(url)
    headers = {'Accept': 'application/vnd.pypi.simple.v1+json'}
    if parts.username:
        pair = urllib.parse.unquote(parts.username) + ':' + urllib.parse.unquote(parts.password or '')
        headers['Authorization'] = 'Basic ' + base64.b64encode(pair.encode()).decode()
    bare = urllib.parse.urlunsplit((parts.scheme, parts.netloc.rpartition('@')[2], parts.path, parts.query, ''))
    context = ssl.create_default_context(cafile=configured.get('cert'))
    return urllib.request.urlopen(urllib.request.Request(bare, headers=headers), timeout=60, context=context)

def released(name, file):
    """When a file of an index was uploaded; None if no index says so."""
    indexes = [configured.get('index-url', 'https://pypi.org/simple'), *configured.get('extra-index-url', '').split()]
    for index in indexes:
        try:
            with open_index(index.rstrip('/') + '/' + plain(name) + '/') as answer:
                if 'json' not in answer.headers.get('Content-Type', ''):
                    continue
                files = json.load(answer)['files']
        except urllib.error.HTTPError as error:
            if error.code in (404, 406):
                continue
            sys.exit('The index did not say when ' + name + ' was released: ' + str(error))
        except urllib.error.URLError as error:
            sys.exit('The index could not be asked when ' + name + ' was released: ' + str(error.reason))
        for each in files:
            if each['filename'] == file and each.get('upload-time'):
                text = re.sub('[.][0-9]+', '', each['upload-time']).replace('Z', '+00:00')
                return datetime.fromisoformat(text)
    return None

class Entry:
    def __init__(self, item):
        source = item['download_info']
        self.name, self.version = item['metadata']['name'], item['metadata']['version']
        self.url, self.own = source['url'], item.get('is_direct', False)
        self.file = urllib.parse.unquote(urllib.parse.urlsplit(self.url).path.rpartition('/')[2])
        archive = source.get('archive_info', {})
        self.hash = archive.get('hashes', {}).get('sha256') or archive.get('hash', '').partition('sha256=')[2]
        self.title = self.name + ' ' + self.version

def resolve(constraints):
    report = os.path.join(temporary, 'report.json')
    code = pip('install', '--dry-run', '--report', report, *common, '-c', write('constraints.txt', constraints), '--', *wanted)
    if code:
        return code, []
    with open(report) as file:
        return 0, [Entry(item) for item in json.load(file)['install']]

def too_young(entries):
    for entry in entries:
        if int(days) == 0 or entry.own or entry.file in lock or not entry.url.startswith('http'):
            continue
        time = released(entry.name, entry.file)
        if time is None and entry.title not in untimed:
            untimed.add(entry.title)
            print('Note: the index does not say when ' + entry.title + ' was released, so its age was not looked at.')
        if time is not None and time > newest:
            print(entry.title + ' is left out: it was released less than ' + days + ' days ago.')
            yield entry.name + '!=' + entry.version

version = [int(each) for each in re.findall('[0-9]+', said('--version', environment=plainly))[:2]]
configured = settings()
plainly.update({'PIP_' + name.upper().replace('-', '_'): configured[name] for name in origins if name in configured})
if version < [22, 2]:
    print('Note: this pip is too old to say what it would install, so the age of releases was not looked at.')
    sys.exit(pip('install', *common, '--', *wanted))

untimed = set()
try:
    with open(lock_path) as file:
        lock = json.load(file)
except (FileNotFoundError, ValueError):
    lock = {}
pins = [each['name'] + '==' + each['version'] for each in lock.values()] if pinned else []
held = []
while True:
    code, entries = resolve([*pins, *held])
    if code and pins:
        pins = []
        continue
    if code:
        print('Note: only wheels are taken from an index. What is there as source alone counts as not found, since nothing is built.')
        sys.exit(code)
    more = list(too_young(entries))
    if not more:
        break
    held += more
for entry in entries:
    if not entry.own and lock.get(entry.file, {}).get('sha256', entry.hash) != entry.hash:
        sys.exit(entry.file + ' is another file than the one that was installed before under this name: its hash is ' + entry.hash + '.')
listed = [entry for entry in entries if not entry.own]
lines = [entry.name + '==' + entry.version + ' --hash=sha256:' + entry.hash for entry in listed]
code = pip('install', *common, '--no-deps', '--require-hashes', '-r', write('exact.txt', lines)) if lines else 0
own = [urllib.request.url2pathname(urllib.parse.urlsplit(entry.url).path) for entry in entries if entry.own]
code = code or (pip('install', *quiet, '--no-deps', *own) if own else 0)
if code:
    sys.exit(code)
names = {plain(entry.name) for entry in entries}
lock = {file: each for file, each in lock.items() if plain(each['name']) not in names}
lock.update({entry.file: {'name': entry.name, 'version': entry.version, 'sha256': entry.hash} for entry in listed})
with open(lock_path + '.new', 'w') as file:
    json.dump(lock, file, indent=1, sort_keys=True)
os.replace(lock_path + '.new', lock_path)
`
