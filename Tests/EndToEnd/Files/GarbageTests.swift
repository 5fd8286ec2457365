import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The leftovers of a killed server, and their collection.
@Suite(.hangLimit, .serialized)
struct GarbageTests {
    /// An upload, and whether the server acknowledged it.
    private struct Sent: Sendable {
        var name: String
        var hash: String
        var isAcknowledged: Bool
    }

    /// Uploads in several ways until the server has been killed.
    private static func upload(_ server: FileServer, round: Int) async -> [Sent] {
        await withTaskGroup(of: [Sent].self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var sent: [Sent] = []
                    for number in 0..<5 {
                        let seed = UInt64(round * 1000 + worker * 10 + number)
                        let content = SampleBytes.make(20_000 + worker * 60_000, seed: seed)
                        let name = worker == 0 ? "replaced.bin" : "k-\(round)-\(worker)-\(number).bin"
                        let isTaken = await send(server, name, content, asForm: worker % 2 == 1)
                        sent.append(Sent(name: name, hash: Checksum.sha256(content), isAcknowledged: isTaken))
                        if !isTaken { break }
                    }
                    return sent
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// - Returns: Whether the upload was acknowledged.
    private static func send(_ server: FileServer, _ name: String, _ content: Data, asForm: Bool) async -> Bool {
        guard asForm else {
            let response = try? await server.put(name, content)
            return [201, 204].contains(response?.status)
        }
        let response = try? await RawHTTP.send(
            port: server.port, "POST", "/files",
            headers: [FileServer.authorization(server.ada), "Content-Type: " + MultipartForm.type],
            body: MultipartForm.whole([MultipartForm.file(name, content)]))
        return response?.status == 201
    }

    @Test func killLeavesOnlyCompleteFiles() async throws {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        var server = try await FileServer.start()
        /// The hashes of everything ever sent, by name.
        var hashes: [String: Set<String>] = [:]
        for round in 0..<20 {
            let (running, moment) = (server, "seed \(seed), round \(round)")
            let uploads = Task { await Self.upload(running, round: round) }
            // Not a wait for a condition, but a random moment.
            try await Task.sleep(for: .milliseconds(Int.random(in: 5...200, using: &random)))
            try await running.process.stop(SIGKILL)
            let sent = await uploads.value
            let unfinished = running.unfinished()
            for upload in sent { hashes[upload.name, default: []].insert(upload.hash) }
            server = try await running.restarted()
            let listed = try await server.list()
            let names = Set(listed.map(\.name))
            for upload in sent where upload.isAcknowledged {
                #expect(names.contains(upload.name), "\(moment): \(upload.name) is missing")
            }
            for file in listed where file.name == "replaced.bin" || file.name.hasPrefix("k-\(round)-") {
                let response = try await server.get(file.name)
                #expect(response.status == 200 && response.body.count == file.size, "\(moment): \(file.name)")
                #expect(Checksum.sha256(response.body) == file.sha256, "\(moment): \(file.name)")
                #expect(hashes[file.name]?.contains(file.sha256) == true, "\(moment): \(file.name)")
            }
            for name in unfinished { #expect(try await server.get(name).status == 404, "\(moment)") }
        }
        try await Self.expectTidied(server)
    }

    /// After `gc`, only listed files remain.
    private static func expectTidied(_ server: FileServer) async throws {
        let listed = try await server.list()
        _ = try await server.collect()
        #expect(server.unfinished().isEmpty)
        #expect(server.blobs() == Set(listed.map(\.sha256)))
        for file in listed {
            let response = try await server.get(file.name)
            #expect(Checksum.sha256(response.body) == file.sha256, "\(file.name)")
        }
        let again = try await server.collect()
        #expect(again == Collected("removed 0 and 0 kept \(Set(listed.map(\.sha256)).count)"))
    }

    @Test func unreferencedBlobsAreCollected() async throws {
        let server = try await FileServer.start()
        let contents = (0..<6).map { SampleBytes.make(10_000 + $0, seed: UInt64(200 + $0)) }
        try await server.store("replaced.bin", contents[0])
        try await server.store("replaced.bin", contents[1])
        try await server.store("deleted.bin", contents[2])
        try await server.store("kept.bin", contents[3])
        // The same bytes under two names, one of which is deleted.
        try await server.store("twin-1.bin", contents[4])
        try await server.store("twin-2.bin", contents[4], as: server.eve)
        try await server.store("empty.bin", Data())
        for name in ["deleted.bin", "twin-1.bin"] { #expect(try await server.delete(name).status == 204) }
        // The server itself collects replaced and deleted blobs.
        #expect(server.blobs() == Set([contents[1], contents[3], contents[4], Data()].map { Checksum.sha256($0) }))
        #expect(try await server.get("replaced.bin").body == contents[1])
        #expect(try await server.get("kept.bin").body == contents[3])
        #expect(try await server.get("twin-2.bin").body == contents[4])
        #expect(try await server.collect() == Collected("removed 0 and 0 kept 4"))
        // Deleted content can be uploaded again.
        #expect(try await server.put("deleted.bin", contents[2]).status == 201)
        #expect(try await server.get("deleted.bin").body == contents[2])
    }

    /// A killed process has left files in both folders; unrelated files beside them are kept.
    @Test func leftoversAreRemoved() async throws {
        let first = try await FileServer.start()
        try await first.store("kept.bin", Data("kept".utf8))
        try await first.process.stop()
        let orphan = Data("orphan".utf8)
        let hash = Checksum.sha256(orphan)
        let folder = "\(first.process.data)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let paths = [folder + "/" + hash, first.process.data + "/tmp/" + UUID().uuidString]
        for path in paths {
            try orphan.write(to: URL(fileURLWithPath: path))
            let old = Date(timeIntervalSinceNow: -2 * 86_400)
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
        }
        for name in ["/blobs/README", "/tmp/README"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: first.process.data + name))
        }
        let server = try await first.restarted()
        #expect(server.unfinished() == ["README"])
        let collected = try await server.collect()
        #expect(collected.removed == 1 && collected.kept == 1, "\(collected)")
        #expect(FileManager.default.fileExists(atPath: first.process.data + "/blobs/README"))
        #expect(try await server.get("kept.bin").text == "kept")
    }

    /// A reader reaches the end even if the blob is deleted meanwhile.
    @Test func readerIsNotInterrupted() async throws {
        let server = try await FileServer.start()
        let content = SampleBytes.make(16 << 20, seed: 51)
        try await server.store("read.bin", content)
        let request = server.request("GET", "/files/read.bin", [])
        let (hasBegun, isCollected) = (Latch(), Latch())
        let reading = Task {
            try await Wire.on(port: server.port) { wire in
                wire.send(request)
                let start = try wire.read(atLeast: 4096)
                hasBegun.open()
                try isCollected.block()
                guard let end = start.range(of: Data("\r\n\r\n".utf8))?.upperBound else { return Data() }
                let body = Data(start[end...])
                return body + (try wire.read(atLeast: (16 << 20) - body.count))
            }
        }
        try await hasBegun.wait()
        try await server.store("read.bin", Data("other".utf8))
        _ = try await server.collect()
        #expect(server.blobs().count == 1)
        isCollected.open()
        #expect(try await reading.value == content)
    }

    /// `gc` may run at any time and does not affect uploads in progress.
    @Test func collectionDoesNotAffectUploads() async throws {
        let server = try await FileServer.start()
        let contents = (0..<120).map { SampleBytes.make(1000 + $0 * 2000, seed: UInt64(300 + $0)) }
        let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var statuses: [Int] = []
                    for index in stride(from: worker, to: contents.count, by: 6) {
                        statuses.append(try await server.put("g-\(index).bin", contents[index]).status)
                    }
                    return statuses
                }
            }
            group.addTask {
                for _ in 0..<5 {
                    let done = try await server.process.admin("gc")
                    #expect(done.code == 0, "\(done.error)")
                }
                return []
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(statuses == Array(repeating: 201, count: contents.count))
        for (index, content) in contents.enumerated() {
            #expect(try await server.get("g-\(index).bin").body == content, "\(index)")
        }
    }

    @Test func newFeedHasNothingToCollect() async throws {
        let folder = try TemporaryFolder()
        let data = ["--data", folder.path + "/data"]
        let add = ["account", "add", "ada", "--password-stdin"]
        #expect(try await Tool.run(Programs.feedserver, add + data, input: Data("secretsecret\n".utf8)).code == 0)
        let done = try await Tool.run(Programs.feedserver, ["gc"] + data)
        #expect(done.code == 0 && Collected(done.text) == Collected("removed 0 and 0 kept 0"), "\(done.error)")
    }
}
