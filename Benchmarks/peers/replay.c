/* The same SQL without a server: executes recorded statements with their recorded values, as fast as SQLite allows.
     replay DATABASE RECORDING THREADS SECONDS read|write
   prints "result UNITS MICROSECONDS BYTES ERRORS P50 P99", the last two in microseconds. A unit is what one request
   executes: the statements of a page, or the transaction of a post. Each thread has a connection of its own with the
   settings of feedserver. Writing threads queue for a mutex, because SQLite's own wait for its write lock sleeps. The
   recording:
     q SQL                          a statement, numbered from 0; SQL in hex
     u                              a unit begins
     e NUMBER                       it executes this statement with the values of the following lines
     i VALUE | t HEX | x HEX | n    an integer, text, bytes, null
     d | m | s                      a new status id; its number in the search index; the newest sequence number of the
                                    change log
   cc -O2 -pthread -o replay replay.c -lsqlite3 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct value { char type; sqlite3_int64 integer; char *bytes; int count; };
struct execution { int statement, first, count; };
struct thread { pthread_t handle; float *latencies; long count; double end; };

static char **statements;
static struct value *values;
static struct execution *executions;
/* Where each unit begins in `executions`. */
static int *units;
static int statement_count, value_count, execution_count, unit_count;

static const char *path;
static int writes;
static double deadline;
static pthread_barrier_t ready;
static atomic_long next_unit;
static _Atomic sqlite3_int64 checksum;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by `writing`. */
static sqlite3_int64 next_id, next_number, sequence;

static void fail(const char *what, sqlite3 *database) {
    fprintf(stderr, "replay: %s: %s\n", what, database ? sqlite3_errmsg(database) : "failed");
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The array with room for one more element. */
static void *grown(void *array, int count, size_t size) {
    if (count % 4096) return array;
    void *larger = realloc(array, ((size_t)count + 4096) * size);
    if (!larger) fail("memory", NULL);
    return larger;
}

static char *decoded(const char *hex, int *count) {
    *count = (int)(strcspn(hex, "\n") / 2);
    char *bytes = calloc((size_t)*count + 1, 1);
    if (!bytes) fail("memory", NULL);
    for (int i = 0; i < *count; i++) sscanf(hex + 2 * i, "%2hhx", (unsigned char *)bytes + i);
    return bytes;
}

static void read_value(const char *line) {
    struct value value = {.type = line[0]};
    if (line[0] == 'i') value.integer = strtoll(line + 2, NULL, 10);
    if (line[0] == 't' || line[0] == 'x') value.bytes = decoded(line + 2, &value.count);
    if (!strchr("itxndms", line[0]) || !execution_count) fail("recording", NULL);
    values = grown(values, value_count, sizeof *values);
    values[value_count++] = value;
    executions[execution_count - 1].count++;
}

static void read_recording(const char *name) {
    FILE *file = fopen(name, "r");
    if (!file) fail(name, NULL);
    char *line = NULL;
    size_t size = 0;
    int count;
    while (getline(&line, &size, file) > 0) {
        if (line[0] == 'q') {
            statements = grown(statements, statement_count, sizeof *statements);
            statements[statement_count++] = decoded(line + 2, &count);
        } else if (line[0] == 'u') {
            units = grown(units, unit_count, sizeof *units);
            units[unit_count++] = execution_count;
        } else if (line[0] == 'e') {
            executions = grown(executions, execution_count, sizeof *executions);
            executions[execution_count++] = (struct execution){atoi(line + 2), value_count, 0};
        } else {
            read_value(line);
        }
    }
    free(line);
    fclose(file);
    if (!unit_count) fail("empty recording", NULL);
}

static sqlite3 *opened(void) {
    sqlite3 *database;
    int flags = writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    if (sqlite3_open_v2(path, &database, flags | SQLITE_OPEN_NOMUTEX, NULL)) fail("open", database);
    const char *settings = "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = OFF; PRAGMA cache_size = -4096;"
        "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;";
    if (sqlite3_busy_timeout(database, 5000) || sqlite3_exec(database, settings, NULL, NULL, NULL))
        fail("settings", database);
    return database;
}

static sqlite3_stmt **prepared(sqlite3 *database) {
    sqlite3_stmt **all = calloc((size_t)statement_count, sizeof *all);
    for (int i = 0; i < statement_count; i++)
        if (sqlite3_prepare_v3(database, statements[i], -1, SQLITE_PREPARE_PERSISTENT, &all[i], NULL))
            fail(statements[i], database);
    return all;
}

static void bind(sqlite3_stmt *statement, int index, const struct value *value) {
    switch (value->type) {
    case 'i': sqlite3_bind_int64(statement, index, value->integer); break;
    case 't': sqlite3_bind_text(statement, index, value->bytes, value->count, SQLITE_STATIC); break;
    case 'x': sqlite3_bind_blob(statement, index, value->bytes, value->count, SQLITE_STATIC); break;
    case 'd': sqlite3_bind_int64(statement, index, next_id); break;
    case 'm': sqlite3_bind_int64(statement, index, next_number); break;
    case 's': sqlite3_bind_int64(statement, index, sequence); break;
    default: sqlite3_bind_null(statement, index);
    }
}

/* Reads every column, so that SQLite has to decode them all. */
static sqlite3_int64 read_row(sqlite3_stmt *statement) {
    sqlite3_int64 sum = 0;
    for (int i = 0, count = sqlite3_column_count(statement); i < count; i++) {
        int type = sqlite3_column_type(statement, i);
        if (type == SQLITE_INTEGER) {
            sum ^= sqlite3_column_int64(statement, i);
        } else if (type != SQLITE_NULL) {
            const char *bytes = sqlite3_column_blob(statement, i);
            int size = sqlite3_column_bytes(statement, i);
            sum ^= bytes && size ? bytes[0] + size : 0;
        }
    }
    return sum;
}

static void execute(sqlite3 *database, sqlite3_stmt *statement, const struct execution *execution) {
    for (int i = 0; i < execution->count; i++) bind(statement, i + 1, &values[execution->first + i]);
    sqlite3_int64 sum = 0;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) sum ^= read_row(statement);
    if (code != SQLITE_DONE) fail(sqlite3_sql(statement), database);
    sqlite3_reset(statement);
    atomic_fetch_xor(&checksum, sum);
    const char *sql = statements[execution->statement];
    if (writes && !strncmp(sql, "INSERT INTO change", 18)) sequence = sqlite3_last_insert_rowid(database);
}

static void run_unit(sqlite3 *database, sqlite3_stmt **all, long number) {
    int first = units[number % unit_count];
    int end = number % unit_count + 1 < unit_count ? units[number % unit_count + 1] : execution_count;
    if (writes) pthread_mutex_lock(&writing);
    if (writes) next_id++, next_number += 16;
    for (int i = first; i < end; i++) execute(database, all[executions[i].statement], &executions[i]);
    if (writes) pthread_mutex_unlock(&writing);
}

static void *run(void *argument) {
    struct thread *thread = argument;
    sqlite3 *database = opened();
    sqlite3_stmt **all = prepared(database);
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&ready);
    for (double start = now(), end; start < deadline; start = end) {
        run_unit(database, all, atomic_fetch_add(&next_unit, 1));
        end = now();
        thread->latencies = grown(thread->latencies, (int)thread->count, sizeof *thread->latencies);
        thread->latencies[thread->count++] = (float)((end - start) * 1e6);
        thread->end = end;
    }
    for (int i = 0; i < statement_count; i++) sqlite3_finalize(all[i]);
    free(all);
    sqlite3_close(database);
    return NULL;
}

static sqlite3_int64 largest(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) || sqlite3_step(statement) != SQLITE_ROW)
        fail(sql, database);
    sqlite3_int64 value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void report(struct thread *threads, int count, double start) {
    float *all = NULL;
    int total = 0;
    double end = start;
    for (int i = 0; i < count; i++) {
        if (threads[i].end > end) end = threads[i].end;
        for (long k = 0; k < threads[i].count; k++) {
            all = grown(all, total, sizeof *all);
            all[total++] = threads[i].latencies[k];
        }
    }
    qsort(all, (size_t)total, sizeof *all, ascending);
    printf("result %d %.0f 0 0 %.0f %.0f\n", total, (end - start) * 1e6, total ? all[total / 2] : 0,
           total ? all[(long)total * 99 / 100] : 0);
}

int main(int argc, char **argv) {
    if (argc != 6) fail("usage: replay DATABASE RECORDING THREADS SECONDS read|write", NULL);
    path = argv[1];
    int count = atoi(argv[3]);
    writes = !strcmp(argv[5], "write");
    read_recording(argv[2]);
    if (writes) {
        sqlite3 *database = opened();
        next_id = largest(database, "SELECT max(id) FROM status");
        next_number = largest(database, "SELECT coalesce(max(number), 0) FROM status_search");
        sequence = largest(database, "SELECT coalesce(max(sequence), 0) FROM change");
        sqlite3_close(database);
    }
    struct thread *threads = calloc((size_t)count, sizeof *threads);
    pthread_barrier_init(&ready, NULL, (unsigned)count + 1);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i].handle, NULL, run, &threads[i])) fail("threads", NULL);
    pthread_barrier_wait(&ready);
    double start = now();
    deadline = start + atof(argv[4]);
    pthread_barrier_wait(&ready);
    for (int i = 0; i < count; i++) pthread_join(threads[i].handle, NULL);
    report(threads, count, start);
    return 0;
}
