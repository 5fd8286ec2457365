import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct FormDescriptorTests {
    /// The files of an unfinished form wait on the disk, without open descriptors.
    @Test func longFormUsesFewDescriptors() async throws {
        let server = try await FileServer.start()
        let parts = (0..<200).map { index in
            "--B\r\nContent-Disposition: form-data; name=\"f\(index)\"; filename=\"f\(index).txt\"\r\n\r\nfile \(index)\r\n"
        }
        let body = parts.joined()
        let head =
            "POST /files HTTP/1.1\r\nHost: x\r\n\(FileServer.authorization(server.ada))\r\n"
            + "Content-Type: multipart/form-data; boundary=B\r\nContent-Length: \(body.utf8.count + 5)\r\n\r\n"
        let (data, id) = (server.process.data, server.process.processID)
        let response = try await Wire.on(port: server.port) { wire in
            wire.send(head + body)
            try Wait.block(until: "199 files have come") {
                try FileManager.default.contentsOfDirectory(atPath: data + "/tmp").count >= 199
            }
            // Between two files, none is open for a moment.
            try Wait.block(until: "one or two files are open") {
                (1...2).contains(try Self.descriptors(of: id, in: data + "/tmp/"))
            }
            wire.send("--B--")
            return try wire.response()
        }
        #expect(response?.status == 201)
        #expect(try await server.get("f199.txt").text == "file 199")
        #expect(try FileManager.default.contentsOfDirectory(atPath: data + "/tmp").isEmpty)
    }

    private static func descriptors(of process: Int32, in folder: String) throws -> Int {
        let place = "/proc/\(process)/fd/"
        return try FileManager.default.contentsOfDirectory(atPath: place).count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place + name)
            return target?.hasPrefix(folder) ?? false
        }
    }
}
