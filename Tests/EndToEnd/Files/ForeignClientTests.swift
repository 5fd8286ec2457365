import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A download program that can resume.
struct ForeignClient: Sendable {
    let program: String
    /// The arguments to start a download.
    let first: [String]
    /// The arguments to resume it.
    let again: [String]
    /// A state file. The program can resume once it is not empty.
    let sign: String
}

enum ForeignFile {
    static let size = 64 << 20
    static let hash = Checksum.sha256(SampleBytes.make(size, seed: 61))

    @Sendable static func prepare(_ server: FileServer) async throws {
        try await server.store("foreign.bin", SampleBytes.make(size, seed: 61))
    }
}

/// Third-party clients.
@Suite(.hangLimit, .serialized, .fileServer(prepare: ForeignFile.prepare))
struct ForeignClientTests {
    private static func hash(_ path: String) throws -> String {
        Checksum.sha256(try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped))
    }

    // MARK: Downloads

    /// Downloads through a proxy that limits the first attempt, is stopped at a random moment, and resumes to the end.
    /// - Parameters:
    ///   - file: The name that the program gives the file.
    ///   - make: The program to run for a URL.
    private static func resume(_ file: String, _ make: (_ url: String) -> ForeignClient) async throws {
        let server = try FileServer.here()
        let folder = try TemporaryFolder()
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        let held = Int.random(in: ForeignFile.size / 8...ForeignFile.size / 2, using: &random)
        let pause = Int.random(in: 1...600, using: &random)
        try await PausingProxy.serving(server.port, pausingAfter: held) { proxy in
            let client = make(proxy.address + "/files/foreign.bin")
            try await interrupt(client, in: folder, after: .milliseconds(pause))
            let before = server.process.log.count
            proxy.release()
            let done = try await Tool.run(client.program, client.again, folder: folder.path)
            #expect(done.code == 0, "seed \(seed): \(done.text.suffix(500)) \(done.error.suffix(500))")
            #expect(try hash(folder.path + "/" + file) == ForeignFile.hash, "seed \(seed)")
            // The second request is for the remaining bytes only.
            try await Wait.until("a request for a part is logged") {
                server.process.log.dropFirst(before).contains("status=206")
            }
        }
    }

    /// - Parameter pause: The time for which the program goes on once it can resume.
    private static func interrupt(
        _ client: ForeignClient, in folder: TemporaryFolder, after pause: Duration
    ) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try Tool.find(client.program))
        process.arguments = client.first
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await Wait.until("\(client.program) has a state file") {
            !process.isRunning || fileSize(folder.path + "/" + client.sign) > 0
        }
        // Not a wait for a condition, but a random moment.
        try await Task.sleep(for: pause)
        try #require(process.isRunning, "the client exited before it was interrupted")
        kill(process.processIdentifier, SIGKILL)
        while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static func fileSize(_ path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil) ?? 0
    }

    @Test(.enabled(if: Tool.isInstalled("curl"), "curl is not installed: apt-get install curl"))
    func curlResumes() async throws {
        try await Self.resume("f") { url in
            ForeignClient(
                program: "curl", first: ["-sS", "-o", "f", url], again: ["-sS", "-C", "-", "-o", "f", url], sign: "f")
        }
    }

    @Test(.enabled(if: Tool.isInstalled("wget"), "wget is not installed: apt-get install wget"))
    func wgetResumes() async throws {
        try await Self.resume("f") { url in
            ForeignClient(
                program: "wget", first: ["-q", "-O", "f", url], again: ["-q", "-c", "-O", "f", url], sign: "f")
        }
    }

    @Test(.enabled(if: Tool.isInstalled("wget2"), "wget2 is not installed: apt-get install wget2"))
    func wget2Resumes() async throws {
        try await Self.resume("foreign.bin") { url in
            ForeignClient(program: "wget2", first: ["-q", url], again: ["-q", "-c", url], sign: "foreign.bin")
        }
    }

    /// Its state file indicates that it may be killed.
    @Test(.enabled(if: Tool.isInstalled("aria2c"), "aria2c is not installed: apt-get install aria2"))
    func aria2cResumes() async throws {
        let options = [
            "-q", "--no-conf=true", "--disk-cache=0", "-x4", "-s4", "-k1M", "--file-allocation=none", "-o", "f",
        ]
        try await Self.resume("f") { url in
            ForeignClient(
                program: "aria2c", first: options + ["--auto-save-interval=1", url], again: options + ["-c", url],
                sign: "f.aria2")
        }
    }

    /// It writes its state file every few seconds and resumes from it automatically.
    @Test(.enabled(if: Tool.isInstalled("axel"), "axel is not installed: apt-get install axel"))
    func axelResumes() async throws {
        try await Self.resume("f") { url in
            let arguments = ["-q", "-n", "4", "-o", "f", url]
            return ForeignClient(program: "axel", first: arguments, again: arguments, sign: "f.st")
        }
    }

    @Test(.enabled(if: Tool.isInstalled("lftp"), "lftp is not installed: apt-get install lftp"))
    func lftpResumes() async throws {
        // The default is to retry forever.
        let patience = "set net:max-retries 3; set net:timeout 120; "
        try await Self.resume("f") { url in
            ForeignClient(
                program: "lftp", first: ["-c", "set pget:save-status 100ms; " + patience + "pget -n 4 \(url) -o f"],
                again: ["-c", patience + "pget -c -n 4 \(url) -o f"], sign: "f.lftp-pget-status")
        }
    }

    // MARK: Uploads

    private static let sent = SampleBytes.make(9_000_001, seed: 62)

    /// Checks that the server returns the bytes that a program sent.
    private static func expectStored(_ name: String, _ content: Data = sent) async throws {
        let response = try await FileServer.here().get(name)
        let isEqual = response.status == 200 && response.body == content
        #expect(isEqual, "\(name): \(response.status), \(response.body.count) bytes")
    }

    @Test(.enabled(if: Tool.isInstalled("curl"), "curl is not installed: apt-get install curl"))
    func curlPutsFiles() async throws {
        let server = try FileServer.here()
        let folder = try TemporaryFolder()
        let path = try folder.file("source.bin")
        try Self.sent.write(to: URL(fileURLWithPath: path))
        for (name, extra) in [("put.bin", []), ("put-chunked.bin", ["-H", "Transfer-Encoding: chunked"])] {
            let done = try await Tool.run(
                "curl",
                ["-sS", "-w", "%{http_code}", "-H", FileServer.authorization(server.ada)] + extra
                    + ["-T", path, server.address + "/files/" + name])
            #expect(done.text == "201", "\(done.text) \(done.error)")
            try await Self.expectStored(name)
        }
    }

    @Test(.enabled(if: Tool.isInstalled("curl"), "curl is not installed: apt-get install curl"))
    func curlPostsForms() async throws {
        let server = try FileServer.here()
        let folder = try TemporaryFolder()
        let path = try folder.file("k\u{E4}se \u{65E5}\u{672C}.bin")
        try Self.sent.write(to: URL(fileURLWithPath: path))
        let done = try await Tool.run(
            "curl",
            [
                "-sS", "-H", FileServer.authorization(server.ada), "-F", "note=text", "-F", "file=@\(path)", "-F",
                "other=@\(path);filename=\"other \\\"1\\\".bin\";type=image/png", server.address + "/files",
            ])
        let files = try ListedFile.list(done.output)
        #expect(files.map(\.name) == ["k\u{E4}se \u{65E5}\u{672C}.bin", "other \"1\".bin"], "\(done.text)")
        for file in files { try await Self.expectStored(file.name) }
    }

    /// Whether a Python package is installed.
    private static func python(has package: String) async -> Bool {
        (try? await Tool.run("python3", ["-c", "import \(package)"]).code) == 0
    }

    /// Posts two files and a field.
    private static let pythonScript = """
        import sys
        kind, url, token, path = sys.argv[1:]
        head = {"Authorization": "Bearer " + token}
        name = "p\u{E4}per \u{65E5}\u{672C} " + kind + ".bin"
        content = open(path, "rb").read()
        if kind == "requests":
            import requests
            files = [("note", (None, "text")), ("a", (name, open(path, "rb"), "image/png")), ("b", ("small.txt", b"v"))]
            response = requests.post(url, headers=head, files=files)
            print(response.text)
        else:
            import urllib3
            fields = [("note", "text"), ("a", (name, content, "image/png")), ("b", ("small.txt", b"v"))]
            response = urllib3.PoolManager().request("POST", url, headers=head, fields=fields)
            print(response.data.decode())
        """

    private static func python(_ kind: String) async throws {
        let server = try FileServer.here()
        let folder = try TemporaryFolder()
        let path = try folder.file("source.bin")
        try sent.write(to: URL(fileURLWithPath: path))
        let done = try await Tool.run(
            "python3", ["-c", pythonScript, kind, server.address + "/files", server.ada, path],
            environment: ["PYTHONIOENCODING": "utf-8"])
        #expect(done.code == 0, "\(done.error)")
        let files = try ListedFile.list(done.output)
        try #require(files.count == 2, "\(done.text)")
        #expect(files[0].name == "p\u{E4}per \u{65E5}\u{672C} \(kind).bin")
        try await expectStored(files[0].name)
        try await expectStored(files[1].name, Data("v".utf8))
    }

    @Test(.enabled("Python has no requests: apt-get install python3-requests") { await python(has: "requests") })
    func pythonRequestsPostsForms() async throws { try await Self.python("requests") }

    @Test(.enabled("Python has no urllib3: apt-get install python3-urllib3") { await python(has: "urllib3") })
    func pythonURLLibPostsForms() async throws { try await Self.python("urllib3") }

    // MARK: A browser

    private static let browserBytes = 3 << 20

    /// The content that the page's script creates.
    private static func browserContent() -> Data {
        var state: UInt32 = 42
        return Data(
            [UInt8](unsafeUninitializedCapacity: browserBytes) { buffer, filled in
                for index in buffer.indices {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    buffer.initializeElement(at: index, to: UInt8(truncatingIfNeeded: state >> 24))
                }
                filled = buffer.count
            })
    }

    private static func page(_ server: FileServer) -> String {
        """
        <!doctype html><meta charset="utf-8"><title>waiting</title><pre id="response"></pre><script>
        const bytes = new Uint8Array(\(browserBytes));
        let state = 42;
        for (let i = 0; i < bytes.length; i++) {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          bytes[i] = state >>> 24;
        }
        const form = new FormData();
        form.append("note", "k\u{E4}se");
        form.append("file", new File([bytes], 'k\u{E4}se "\u{65E5}\u{672C}".bin', {type: "image/png"}));
        form.append("empty", new File([], "empty.txt"));
        const show = text => { document.getElementById("response").textContent = text; };
        fetch("\(server.address)/files", {
          method: "POST", body: form, headers: {Authorization: "Bearer \(server.ada)"}
        }).then(async response => show(response.status + " " + await response.text()), error => show("failed: " + error));
        </script>
        """
    }

    /// A page opened from a file has no origin that the server accepts, and the server's own pages run no scripts of a
    /// test. The browser's origin checks are therefore disabled; the requests are the same.
    @Test(.enabled(if: Tool.isInstalled("chromium"), "chromium is not installed: apt-get install chromium"))
    func browserPostsFormData() async throws {
        let server = try FileServer.here()
        let folder = try TemporaryFolder()
        let page = try folder.file("page.html", Self.page(server))
        let done = try await Tool.run(
            "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-web-security",
                "--no-first-run", "--user-data-dir=" + folder.path + "/profile", "--virtual-time-budget=60000",
                "--dump-dom", "file://" + page,
            ])
        let start = try #require(done.text.range(of: "<pre id=\"response\">"), "\(done.error.suffix(500))")
        let response = done.text[start.upperBound...].prefix { $0 != "<" }
        try #require(response.hasPrefix("201 {"), "\(response)")
        let files = try ListedFile.list(Data(response.dropFirst(4).utf8))
        #expect(files.map(\.name) == ["k\u{E4}se \"\u{65E5}\u{672C}\".bin", "empty.txt"])
        try await Self.expectStored(files[0].name, Self.browserContent())
        try await Self.expectStored(files[1].name, Data())
    }
}
