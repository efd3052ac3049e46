"""Describes a table: python3 profile_table.py FILE [--sheet N] [--group COLUMN] [--sum COLUMN]"""

import argparse
import csv
import json
import math
import re
import sys
import zipfile
from collections import Counter, defaultdict
from xml.etree import ElementTree

MAX_ROWS = 500_000
MAX_BYTES = 200_000_000
SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def rows_of_text(path):
    with open(path, newline="", encoding="utf-8-sig", errors="replace") as file:
        sample = file.read(65_536)
        file.seek(0)
        try:
            dialect = csv.Sniffer().sniff(sample, delimiters=",;\t|")
        except csv.Error:
            dialect = csv.excel_tab if path.endswith(".tsv") else csv.excel
        yield from csv.reader(file, dialect)


def part(archive, name):
    if archive.getinfo(name).file_size > MAX_BYTES:
        sys.exit(f"{name} is too large")
    content = archive.read(name)
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        sys.exit(f"{name} declares entities, which no spreadsheet needs")
    return ElementTree.fromstring(content)


def column_index(reference):
    index = 0
    for letter in re.match(r"[A-Z]*", reference).group():
        index = index * 26 + ord(letter) - 64
    return index - 1


def rows_of_workbook(path, sheet):
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        texts = []
        if "xl/sharedStrings.xml" in names:
            for item in part(archive, "xl/sharedStrings.xml"):
                texts.append("".join(text.text or "" for text in item.iter(f"{SPACE}t")))
        sheets = sorted(
            (name for name in names if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name)),
            key=lambda name: int(re.search(r"\d+", name.rsplit("/", 1)[1]).group()),
        )
        if not 1 <= sheet <= len(sheets):
            sys.exit(f"there is no sheet {sheet}: the file has {len(sheets)}")
        for row in part(archive, sheets[sheet - 1]).iter(f"{SPACE}row"):
            cells = []
            for cell in row.iter(f"{SPACE}c"):
                at = column_index(cell.get("r", ""))
                while at >= 0 and len(cells) < at:
                    cells.append("")
                value = cell.find(f"{SPACE}v")
                text = "" if value is None or value.text is None else value.text
                if cell.get("t") == "s" and text:
                    text = texts[int(text)]
                elif cell.get("t") == "inlineStr":
                    text = "".join(each.text or "" for each in cell.iter(f"{SPACE}t"))
                cells.append(text)
            yield cells


def number(text):
    plain = text.strip().replace("\u00a0", "").replace(" ", "").rstrip("%€$£")
    if re.fullmatch(r"[+-]?\d{1,3}(\.\d{3})+(,\d+)?", plain):
        plain = plain.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", plain):
        plain = plain.replace(",", "")
    elif re.fullmatch(r"[+-]?\d+,\d+", plain):
        plain = plain.replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def kind_of(text):
    if number(text) is not None:
        return "number"
    return "date" if re.fullmatch(r"\d{4}-\d{2}-\d{2}([T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}", text.strip()) else "text"


def rounded(value):
    return round(value, 6)


def describe(name, values):
    filled = [value for value in values if value.strip()]
    kinds = Counter(kind_of(value) for value in filled)
    about = {
        "name": name,
        "kinds": dict(kinds),
        "empty": len(values) - len(filled),
        "distinct": len(set(filled)),
        "most_frequent": Counter(filled).most_common(3),
    }
    numbers = sorted(found for value in filled if (found := number(value)) is not None)
    if numbers and kinds["number"] >= 0.9 * len(filled):
        middle = len(numbers) // 2
        median = numbers[middle] if len(numbers) % 2 else (numbers[middle - 1] + numbers[middle]) / 2
        low, high = numbers[len(numbers) // 4], numbers[(3 * len(numbers)) // 4]
        reach = 3 * (high - low)
        about |= {
            "minimum": numbers[0],
            "maximum": numbers[-1],
            "sum": rounded(math.fsum(numbers)),
            "mean": rounded(math.fsum(numbers) / len(numbers)),
            "median": rounded(median),
            "outliers": [value for value in numbers if reach > 0 and (value < low - reach or value > high + reach)][:10],
        }
    return about


def groups_of(header, rows, group, total):
    for column in (group, total):
        if column is not None and column not in header:
            sys.exit(f"there is no column “{column}”: {', '.join(header)}")
    at = header.index(group)
    sums = defaultdict(lambda: {"rows": 0, "values": []})
    for row in rows:
        entry = sums[row[at]]
        entry["rows"] += 1
        if total is not None and (value := number(row[header.index(total)])) is not None:
            entry["values"].append(value)
    return [
        {"group": name, "rows": entry["rows"], **({"sum": rounded(math.fsum(entry["values"]))} if total is not None else {})}
        for name, entry in sorted(sums.items(), key=lambda item: -item[1]["rows"])[:100]
    ]


def main():
    parser = argparse.ArgumentParser(description="Describes a table.")
    parser.add_argument("file")
    parser.add_argument("--sheet", type=int, default=1)
    parser.add_argument("--group")
    parser.add_argument("--sum")
    given = parser.parse_args()
    workbook = given.file.lower().endswith((".xlsx", ".xlsm"))
    source = rows_of_workbook(given.file, given.sheet) if workbook else rows_of_text(given.file)
    table = []
    for row in source:
        if any(cell.strip() for cell in row):
            table.append(row)
        if len(table) > MAX_ROWS:
            sys.exit(f"the table has more than {MAX_ROWS} rows")
    if not table:
        sys.exit("the table is empty")
    width = max(len(row) for row in table)
    header = [name.strip() or f"column {index + 1}" for index, name in enumerate(table[0] + [""] * (width - len(table[0])))]
    rows = [row + [""] * (width - len(row)) for row in table[1:]]
    repeated = sum(count - 1 for count in Counter(map(tuple, rows)).values())
    result = {
        "rows": len(rows),
        "repeated_rows": repeated,
        "columns": [describe(name, [row[index] for row in rows]) for index, name in enumerate(header)],
    }
    if given.group is not None:
        result["groups"] = groups_of(header, rows, given.group, given.sum)
    print(json.dumps(result, ensure_ascii=False, indent=1))


main()
