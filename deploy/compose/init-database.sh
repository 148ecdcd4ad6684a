#!/bin/sh
# Creates the database with its login, which is no superuser. PostgreSQL's image runs it once, on an empty volume.
# docs/database.md explains the roles.
set -eu
# psql reads the password itself, so that no command line and no environment has it.
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
\set password `cat "$DATABASE_PASSWORD_FILE"`
CREATE ROLE video_queue_owner LOGIN PASSWORD :'password';
CREATE ROLE video_queue_service NOLOGIN;
GRANT video_queue_service TO video_queue_owner;
CREATE DATABASE video_queue OWNER video_queue_owner;
SQL
