#!/usr/bin/python3
"""Merges a letter of LibreOffice Writer with a workbook of results into one document, with a letter for each licence.

    letters.py LETTER WORKBOOK DOCUMENT

DOCUMENT ends in .pdf or .odt. The fields of LETTER belong to a database with the name of WORKBOOK, without its extension.
Rows that failed or are in conflict get no letter: the code of the latter is that of another licence.
Needs python3-uno, libreoffice-writer and libreoffice-base. LibreOffice runs without a window, with a profile of its own.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.text.MailMergeType import SHELL

FILTERS = {".pdf": "writer_pdf_Export", ".odt": "writer8"}


def connect(office, pipe):
    """Waits until LibreOffice answers."""
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    while office.poll() is None:
        try:
            return resolver.resolve(f"uno:{pipe};urp;StarOffice.ComponentContext")
        except NoConnectException:
            time.sleep(0.1)
    sys.exit(f"Cannot start LibreOffice: soffice ended with {office.returncode}.")


def merge(context, folder, letter, workbook, document):
    """Registers the workbook as a database of the profile, and merges the letter with it."""
    name = os.path.splitext(os.path.basename(workbook))[0]
    # Copies, since LibreOffice locks what it opens, and open files are locked by others.
    letter, workbook = (shutil.copy(file, folder) for file in (letter, workbook))
    create = lambda service: context.ServiceManager.createInstanceWithContext(service, context)
    url = uno.systemPathToFileUrl
    databases = create("com.sun.star.sdb.DatabaseContext")
    database = databases.createInstance()
    database.URL = "sdbc:calc:" + url(workbook)
    database.DatabaseDocument.storeAsURL(url(os.path.join(folder, "database.odb")), ())
    databases.registerObject(name, database)

    job = create("com.sun.star.text.MailMerge")
    job.DocumentURL = url(letter)
    job.DataSourceName = name
    job.CommandType = 0  # a table: the only sheet
    job.Command = database.getConnection("", "").Tables.ElementNames[0]
    job.Filter = """ "edu_status" = 'created' OR "edu_status" = 'exists'"""
    job.OutputType = SHELL
    letters = job.execute(())
    save_as = PropertyValue("FilterName", 0, FILTERS[os.path.splitext(document)[1]], 0)
    letters.storeToURL(url(document), (save_as,))


if len(sys.argv) != 4 or os.path.splitext(sys.argv[3])[1] not in FILTERS:
    sys.exit("usage: letters.py LETTER WORKBOOK DOCUMENT.pdf|DOCUMENT.odt")
for file in sys.argv[1:3]:
    if not os.path.isfile(file):
        sys.exit(f"Cannot read {file}: there is no such file.")
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    pipe = "pipe,name=" + os.path.basename(folder)
    profile = uno.systemPathToFileUrl(os.path.join(folder, "profile"))
    office = subprocess.Popen(
        ["soffice", "--headless", "--norestore", f"-env:UserInstallation={profile}", f"--accept={pipe};urp;"],
        start_new_session=True,
    )
    try:
        merge(connect(office, pipe), folder, *map(os.path.abspath, sys.argv[1:4]))
    finally:
        # Some versions crash when they close merged letters.
        try:
            os.killpg(office.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        office.wait()
