import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#lib/database.ts';
import { type PostgresServer, query, startPostgres } from '../programs/postgres.ts';
import { listenOnLoopback } from './loopback-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Responds with the URL of PostgreSQL’s own database, once the server that all files share has started. */
    postgresFinder: string;
  }
}

/** A database with all tables and no rows, to be copied: that takes a third of the time of its migrations. */
export const migratedDatabase = 'marquee_migrated';

/** Keeps the rows that migrations insert. */
const keepFirstRows = `
  create schema first_rows;
  do $$ declare name text; has_rows boolean; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('select exists (table public.%I)', name) into has_rows;
      if has_rows then execute format('create table first_rows.%1$I as table public.%1$I', name); end if;
    end loop;
  end $$`;

/** Ends all other connections of a copy, and leaves only its first rows. */
export const emptyTables = `
  select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('delete from public.%I', name);
    end loop;
    for name in select tablename from pg_tables where schemaname = 'first_rows' loop
      execute format('insert into public.%1$I table first_rows.%1$I', name);
    end loop;
  end $$`;

async function start(): Promise<PostgresServer> {
  const server = await startPostgres();
  await query(server.url, `create database ${migratedDatabase}`);
  const databaseUrl = new URL(`/${migratedDatabase}`, server.url).href;
  const database = await openDatabase({ databaseUrl, dataDir: '/nowhere' });
  await database.close();
  await query(databaseUrl, keepFirstRows);
  return server;
}

/** PostgreSQL for all files, once one of them asks for it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<PostgresServer> | null = null;
  const finder = createServer(async (_, response) => {
    // A busy test would ask again on a connection that has just been closed.
    response.setHeader('Connection', 'close');
    starting ??= start();
    await starting.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const { url, close } = await listenOnLoopback(finder);
  provide('postgresFinder', url);
  return async () => {
    await close();
    await (await starting)?.close();
  };
}
