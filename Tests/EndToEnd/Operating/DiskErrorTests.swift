import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// A disk that reports errors while clients post and upload.
@Suite(.hangLimit)
struct DiskErrorTests {
    /// Acknowledged writes.
    private final class Acknowledged: Sendable {
        let posts = Mutex<Set<String>>([])
        let files = Mutex<[String: Data]>([:])
        /// The number of refused requests.
        let refusals = Atomic(0)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        /// The failing operation, as `faults.c` calls it.
        let operation: String
        let code: Int32

        var testDescription: String { "\(operation): \(String(cString: strerror(code)))" }

        static let all = [
            Fault(operation: "write", code: EIO), Fault(operation: "write", code: ENOSPC),
            Fault(operation: "sync", code: EIO), Fault(operation: "rename", code: EIO),
            Fault(operation: "open", code: EMFILE), Fault(operation: "open", code: EROFS),
        ]
    }

    /// Nothing acknowledged is lost, every refusal is a clear error, and the server recovers by itself.
    @Test(arguments: Fault.all) func acknowledgedWritesSurviveDiskErrors(_ fault: Fault) async throws {
        let folder = try TemporaryFolder()
        let control = folder.path + "/control"
        let acknowledged = Acknowledged()
        let server = try await FileServer.start(
            folder: folder,
            environment: [
                "LD_PRELOAD": try await PreloadedLibrary.compile("Faults/faults.c", into: folder),
                "FAULT_CONTROL": control,
                "FAULT_FOLDER": folder.path + "/data/",
            ])
        try await Self.write(0..<6, to: server, acknowledged, mustSucceed: true)
        try "\(fault.operation) \(fault.code)\n".write(toFile: control, atomically: true, encoding: .utf8)
        try await Self.write(6..<20, to: server, acknowledged, mustSucceed: false)
        try FileManager.default.removeItem(atPath: control)
        #expect(acknowledged.refusals.load(ordering: .relaxed) > 0, "no request has noticed the fault")
        try await Wait.until("the server stores again") { try await Self.post("recovered", to: server) == 200 }
        try await Self.write(20..<26, to: server, acknowledged, mustSucceed: true)

        try await Self.verify(acknowledged, on: server)
        _ = try await server.process.stop(SIGKILL)
        try await Self.verify(acknowledged, on: try await server.restarted())
    }

    /// Four clients write at the same time, each of them posts and files.
    private static func write(
        _ numbers: Range<Int>, to server: FileServer, _ acknowledged: Acknowledged, mustSucceed: Bool
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<4 {
                group.addTask {
                    for number in numbers {
                        let text = "client \(client) post \(number)"
                        if try await post(text, to: server, mustSucceed: mustSucceed) == 200 {
                            acknowledged.posts.withLock { _ = $0.insert(text) }
                        } else {
                            acknowledged.refusals.add(1, ordering: .relaxed)
                        }
                        let (name, content) = ("\(client)-\(number).txt", Data(String(repeating: text, count: 99).utf8))
                        let response = try await server.put(name, content)
                        check(response, mustSucceed: mustSucceed, success: 201)
                        if response.status == 201 {
                            acknowledged.files.withLock { $0[name] = content }
                        } else {
                            acknowledged.refusals.add(1, ordering: .relaxed)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @discardableResult
    private static func post(_ text: String, to server: FileServer, mustSucceed: Bool = false) async throws -> Int {
        let body = "status=" + (text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text)
        let response = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses",
            headers: [FileServer.authorization(server.ada), "Content-Type: application/x-www-form-urlencoded"],
            body: Data(body.utf8))
        check(response, mustSucceed: mustSucceed, success: 200)
        return response.status
    }

    /// A refusal is a server error with a message, and names no path.
    private static func check(_ response: RawHTTP.Response, mustSucceed: Bool, success: Int) {
        if response.status == success { return }
        #expect(!mustSucceed, "\(response.status) \(response.text)")
        #expect([500, 503, 507].contains(response.status), "\(response.status) \(response.text)")
        let place = FileManager.default.temporaryDirectory.path
        #expect(response.text.contains(#"{"error":""#) && !response.text.contains(place), "\(response.text)")
    }

    private static func verify(_ acknowledged: Acknowledged, on server: FileServer) async throws {
        for (name, content) in acknowledged.files.withLock({ $0 }) {
            #expect(try await server.get(name).body == content, "\(name)")
        }
        var stored: [String] = []
        var page = ""
        repeat {
            let response = try await RawHTTP.send(
                port: server.port, "GET", "/api/v1/timelines/home?limit=40" + page,
                headers: [FileServer.authorization(server.ada)])
            let statuses = try JSONDecoder().decode([Listed].self, from: response.body)
            stored += statuses.map(\.content)
            page = statuses.last.map { "&max_id=" + $0.id } ?? ""
        } while !page.isEmpty
        let posts = acknowledged.posts.withLock { $0 }
        #expect(posts.allSatisfy { text in stored.contains("<p>\(text)</p>") } && posts.count >= 48)
        #expect(Set(stored).count == stored.filter { $0 != "<p>recovered</p>" }.count + 1, "stored twice")
    }

    private struct Listed: Decodable {
        let id: String
        let content: String
    }
}
