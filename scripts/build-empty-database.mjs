/**
 * Creates a file with an empty database. Every new embedded database starts from it
 * (src/infra/db/driver/pglite.ts). Without the file, a new database would start PostgreSQL twice,
 * which takes seconds and 400 MB more memory.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { resolveProjectPath } from './lib/project.mjs';

const database = await PGlite.create();
// After a checkpoint, PostgreSQL does not replay its log when it opens the file.
await database.query('CHECKPOINT');
const dump = await database.dumpDataDir('gzip');
await database.close();

const file = resolveProjectPath('build/database/empty.tar.gz');
await mkdir(resolveProjectPath('build/database'), { recursive: true });
await writeFile(`${file}.partial`, Buffer.from(await dump.arrayBuffer()));
await rename(`${file}.partial`, file);
