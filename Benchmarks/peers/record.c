/* A preload library that writes down every SQLite statement that a program executes, with the values bound to it, so
   that replay.c can execute the same. FEED_RECORD names the file; each line is an event:
     c STATEMENT                    the bindings were cleared
     b STATEMENT INDEX TYPE VALUE   a value was bound: i (integer), t (text), x (bytes), n (null); the latter two in hex
     s STATEMENT CONNECTION READONLY COUNT SQL    it begins to execute, with COUNT parameters; SQL in hex
   cc -shared -fPIC -O2 -o record.so record.c -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int file = -1;

__attribute__((constructor)) static void open_file(void) {
    const char *path = getenv("FEED_RECORD");
    if (path) file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* One write per line, so that the lines of several threads do not mix. */
static void write_line(const char *head, const void *bytes, size_t count) {
    size_t length = strlen(head);
    char *line = malloc(length + 2 * count + 2);
    if (file < 0 || !line) abort();
    memcpy(line, head, length);
    for (size_t i = 0; i < count; i++) sprintf(line + length + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
    line[length + 2 * count] = '\n';
    if (write(file, line, length + 2 * count + 1) < 0) abort();
    free(line);
}

static void bound(sqlite3_stmt *statement, int index, char type, const void *bytes, size_t count) {
    char head[80];
    snprintf(head, sizeof head, "b %p %d %c ", (void *)statement, index, type);
    write_line(head, bytes, count);
}

static size_t length_of(const char *text, int count) { return !text ? 0 : count < 0 ? strlen(text) : (size_t)count; }

int sqlite3_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 value) {
    char head[80];
    snprintf(head, sizeof head, "b %p %d i %lld", (void *)statement, index, (long long)value);
    write_line(head, NULL, 0);
    return REAL(sqlite3_bind_int64)(statement, index, value);
}

int sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int count, void (*release)(void *)) {
    bound(statement, index, text ? 't' : 'n', text, length_of(text, count));
    return REAL(sqlite3_bind_text)(statement, index, text, count, release);
}

int sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count, void (*release)(void *)) {
    bound(statement, index, bytes ? 'x' : 'n', bytes, bytes ? (size_t)count : 0);
    return REAL(sqlite3_bind_blob)(statement, index, bytes, count, release);
}

int sqlite3_bind_null(sqlite3_stmt *statement, int index) {
    bound(statement, index, 'n', NULL, 0);
    return REAL(sqlite3_bind_null)(statement, index);
}

int sqlite3_clear_bindings(sqlite3_stmt *statement) {
    char head[80];
    snprintf(head, sizeof head, "c %p", (void *)statement);
    write_line(head, NULL, 0);
    return REAL(sqlite3_clear_bindings)(statement);
}

int sqlite3_step(sqlite3_stmt *statement) {
    /* SQLite's own statements have no text. */
    const char *sql = sqlite3_sql(statement);
    if (sql && !sqlite3_stmt_busy(statement)) {
        char head[80];
        sqlite3 *connection = sqlite3_db_handle(statement);
        snprintf(head, sizeof head, "s %p %p %d %d ", (void *)statement, (void *)connection,
                 sqlite3_db_readonly(connection, "main") == 1, sqlite3_bind_parameter_count(statement));
        write_line(head, sql, strlen(sql));
    }
    return REAL(sqlite3_step)(statement);
}
