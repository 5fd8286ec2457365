import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A full disk: a small file system in a mount namespace of the server.
@Suite(
    .hangLimit,
    .enabled(if: PrivateMount.isPossible, "this user may not mount a file system of its own (unshare -rm)"))
struct FullDiskTests {
    /// Runs a script with a file system of `size` at `$DISK` and the server at `$FEED`.
    private static func run(_ script: String, size: String) async throws -> Finished {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/disk", withIntermediateDirectories: true)
        let whole = """
            set -u
            mount -t tmpfs -o size=\(size) none "$DISK" || exit 99
            feed() { "$FEED" "$@" --data "$DISK/data"; }
            fill() { dd if=/dev/zero of="$DISK/ballast" bs=4k 2>/dev/null; true; }
            \(functions)
            \(script)
            """
        return try await Tool.run(
            "unshare", ["-rm", "bash", "-c", whole],
            environment: [
                "DISK": folder.path + "/disk", "FEED": Programs.feedserver, "CLIENT": Programs.feedclient,
            ])
    }

    /// `serve` starts the server at `$URL` as `$SERVER`, once it has its reserve; `ask` sends a request as ada and prints the
    /// code of the response; `fill_feed` fills the disk and posts until that is refused.
    private static let functions = #"""
        serve() {
            TOKEN=$(feed token create ada)
            "$FEED" serve --data "$DISK/data" --port 0 ${RATES---no-rate-limits} >"$DISK/out" 2>"$DISK/../log" & SERVER=$!
            until grep -q listening "$DISK/out"; do sleep 0.1; done
            URL=$(sed 's/listening on //' "$DISK/out")
            until [ "$(stat -c %s "$DISK/data/reserve" 2>/dev/null)" = 4194304 ]; do sleep 0.1; done
        }
        ask() { curl -m 300 -s -o "$DISK/../response" -w '%{http_code}\n' -H "Authorization: Bearer $TOKEN" "$@"; }
        fill_feed() {
            fill
            for i in $(seq 400); do
                code=$(ask -d status="$(head -c 400 /dev/zero | tr '\0' x)" "$URL/api/v1/statuses")
                [ "$code" = 200 ] || break
            done
            echo "post: $code"
        }
        """#

    @Test func startOnAFullDiskIsExplained() async throws {
        let done = try await Self.run(
            """
            fill
            feed serve --port 0; echo "new: $?"
            rm "$DISK/ballast"
            echo secretsecret | feed account add ada --password-stdin || exit 98
            fill
            feed serve --port 0; echo "old: $?"
            feed account list; echo "list: $?"
            """, size: "20m")
        #expect(done.text.contains("new: 1") && done.text.contains("old: 1"), "\(done.text) \(done.error)")
        let errors = done.error.split(separator: "\n").filter { $0.contains("is full") }
        #expect(errors.count >= 2 && done.error.contains("hint: Free some space"), "\(done.error)")
    }

    /// A backup that does not fit leaves earlier ones intact and no remains, and the next one completes.
    @Test func backupToAFullDiskIsExplained() async throws {
        let done = try await Self.run(
            """
            echo secretsecret | "$FEED" account add ada --password-stdin --data "$DISK/../data" || exit 98
            back() { "$FEED" backup "$DISK/b" --data "$DISK/../data"; echo "$1: $?"; }
            back first
            fill
            back full
            echo "left: $(ls "$DISK/b/tmp" | wc -l) $(ls "$DISK/b" | grep -c sqlite) $(ls "$DISK/b" | grep -c json)"
            "$FEED" restore "$DISK/b" --data "$DISK/../other"; echo "restored: $?"
            "$FEED" restore "$DISK/b" --data "$DISK/new"; echo "restored to the full disk: $?"
            rm "$DISK/ballast"
            back again
            "$FEED" restore "$DISK/b" --data "$DISK/new"; echo "restored to the disk: $?"
            """, size: "20m")
        for line in [
            "first: 0", "full: 1", "left: 0 1 1", "restored: 0", "restored to the full disk: 1", "again: 0",
            "restored to the disk: 0",
        ] { #expect(done.text.contains(line), "\(line): \(done.text) \(done.error)") }
        #expect(done.error.contains("/disk/b is full\nhint: Free some space"), "\(done.error)")
    }

    /// Nothing more is stored, nothing stored is lost, and deletions free space.
    @Test func deletingWorksOnAFullDisk() async throws {
        let done = try await Self.run(
            #"""
            echo secretsecret | feed account add ada --password-stdin || exit 98
            serve
            head -c 3000000 /dev/zero | ask -T - "$URL/files/a.bin"
            POST=$(curl -s -H "Authorization: Bearer $TOKEN" -d status=first "$URL/api/v1/statuses" | sed 's/{"id":"\([0-9]*\)".*/\1/')
            fill_feed
            head -c 100000 /dev/zero | ask -T - "$URL/files/b.bin" | sed 's/^/put: /'
            ready() { curl -m 300 -s "$URL/ready"; }
            until ready | grep -q error; do sleep 0.1; done; ready | sed 's/^/ready: /'; echo
            ask -X DELETE "$URL/api/v1/statuses/$POST" | sed 's/^/delete status: /'
            ask -X DELETE "$URL/files/a.bin" | sed 's/^/delete file: /'
            rm "$DISK/ballast"
            ask -d status=again "$URL/api/v1/statuses" | sed 's/^/again: /'
            until [ "$(ready)" = OK ]; do sleep 0.1; done; echo "ready: again"
            kill $SERVER; wait $SERVER; echo "stopped: $?"
            """#, size: "90m")
        for line in [
            "post: 507", "put: 507", "delete status: 200", "delete file: 204", "again: 200", "stopped: 0",
            "ready: {\"error\":\"The disk is full\"", "ready: again",
        ] { #expect(done.text.contains(line), "\(line): \(done.text) \(done.error)") }
    }

    /// Uploads and posts must not take the space that was reserved for deletions.
    @Test func everythingCanBeDeletedOnAFullDisk() async throws {
        let done = try await Self.run(
            #"""
            echo secretsecret | feed account add ada --password-stdin || exit 98
            serve
            for i in 1 2 3; do head -c 2000000 /dev/zero | tr '\0' $i | ask -T - "$URL/files/$i.bin"; done
            POST=$(curl -s -H "Authorization: Bearer $TOKEN" -d status=first "$URL/api/v1/statuses" | sed 's/{"id":"\([0-9]*\)".*/\1/')
            fill_feed
            # No space but that of the reserve becomes free.
            ask -X DELETE "$URL/api/v1/statuses/$POST" | sed 's/^/delete status: /'
            for i in $(seq 20); do
                ask -d status=more "$URL/api/v1/statuses"; head -c 300000 /dev/zero | ask -T - "$URL/files/more$i.bin"
            done | sort | uniq -c | sed 's/^ */refused: /'
            for i in 1 2 3; do ask -X DELETE "$URL/files/$i.bin" | sed 's/^/delete file: /'; done
            until [ "$(ask -d status=again "$URL/api/v1/statuses")" = 200 ]; do sleep 0.1; done
            echo "reserve: $(stat -c %s "$DISK/data/reserve")"
            kill $SERVER; wait $SERVER; echo "stopped: $?"
            """#, size: "40m")
        for line in [
            "post: 507", "delete status: 200", "refused: 40 507",
            "delete file: 204\ndelete file: 204\ndelete file: 204",
            "reserve: 4194304", "stopped: 0",
        ] { #expect(done.text.contains(line), "\(line): \(done.text) \(done.error)") }
    }

    /// The count of failed logins cannot be stored then.
    @Test func passwordsAreCheckedOnAFullDisk() async throws {
        let done = try await Self.run(
            #"""
            for name in ada bob; do echo secretsecret | feed account add $name --password-stdin || exit 98; done
            RATES="--rate-limit 3000"
            serve
            fill_feed
            log_in() {
                curl -m 300 -s -o /dev/null -w '%{http_code}\n' -d "userName=$1&password=$2" "$URL/ViewStatus.aspx"
            }
            # The first may still be stored.
            for i in $(seq 25); do log_in ada wrong; done | sort -u | sed 's/^/wrong: /'
            log_in bob secretsecret | sed 's/^/right: /'
            kill $SERVER; wait $SERVER; echo "stopped: $?"
            """#, size: "90m")
        for line in ["post: 507", "wrong: 401\nwrong: 429\nright: 200", "stopped: 0"] {
            #expect(done.text.contains(line), "\(line): \(done.text) \(done.error)")
        }
    }

    /// The disk is not that of the client, and the post is not refused for good.
    @Test func clientKeepsThePostUntilTheServerHasSpace() async throws {
        let done = try await Self.run(
            #"""
            echo secretsecret | feed account add ada --password-stdin || exit 98
            serve
            export XDG_CONFIG_HOME="$DISK/../config" XDG_STATE_HOME="$DISK/../state" XDG_CACHE_HOME="$DISK/../cache"
            client() { "$CLIENT" "$@" 2>&1; }
            echo "$TOKEN" | client login "$URL" --token-stdin || exit 97
            fill_feed
            for i in $(seq 20); do client post "kept $i"; code=$?; [ $code = 0 ] || break; done; echo "kept: $code"
            rm "$DISK/ballast"
            client outbox flush; echo "flushed: $?"
            kill $SERVER; wait $SERVER; echo "stopped: $?"
            """#, size: "90m")
        for line in [
            "post: 507", "error: The server's disk is full\nhint: Tell the operator of this server", "kept: 75",
            "The post is kept in the outbox", "flushed: 0", "stopped: 0",
        ] { #expect(done.text.contains(line), "\(line): \(done.text) \(done.error)") }
    }

    @Test func avatarCanBeRemovedOnAFullDisk() async throws {
        let done = try await Self.run(
            #"""
            echo secretsecret | feed account add ada --password-stdin || exit 98
            echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg== |
                base64 -d >"$DISK/../avatar.png"
            feed account avatar ada "$DISK/../avatar.png" || exit 97
            serve
            fill_feed
            ask -d note=longer -X PATCH "$URL/api/v1/accounts/update_credentials" | sed 's/^/edit: /'
            ask -X DELETE "$URL/api/v1/profile/avatar" | sed 's/^/delete avatar: /'
            kill $SERVER; wait $SERVER; echo "stopped: $?"
            """#, size: "90m")
        for line in ["post: 507", "edit: 507", "delete avatar: 200", "stopped: 0"] {
            #expect(done.text.contains(line), "\(line): \(done.text) \(done.error)")
        }
    }
}

/// A file system in its own mount namespace.
enum PrivateMount {
    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-rm", "mount", "-t", "tmpfs", "-o", "size=1m", "none", "/mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
