import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The bytes that the 2014 clients send, and the responses they expect.
@Suite(.hangLimit)
struct ClassicClientTests {
    private static func upload(_ server: ServerProcess, _ body: Data, boundary: String, query: String) async throws
        -> RawHTTP.Response
    {
        try await RawHTTP.send(
            port: server.port, "POST", "/FileUpload.aspx" + query,
            headers: ["Content-Type: multipart/form-data; boundary=\(boundary)"], body: body)
    }

    private static func kenshin(_ data: Data) -> Data {
        let head =
            "--KenshinCui\nContent-Disposition: form-data; name=\"file1\"; filename=\"pic.jpg\"\nContent-Type: image/jpg\n\n"
        return Data(head.utf8) + data + Data("\n--KenshinCui--".utf8)
    }

    private static func second(_ data: Data) -> Data {
        let head =
            "\r\n--B\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"K.jpg\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\n"
        let tail =
            "\r\n--B\r\nContent-Disposition: form-data; name=\"message\"\r\n\r\nTEXT\r\n--B\r\n"
            + "Content-Disposition: form-data; name=\"user\"\r\n\r\n1\r\n--B\r\n"
        return Data(head.utf8) + data + Data(tail.utf8)
    }

    /// Files that end with a line break.
    private static let contents: [Data] = [
        Data("plain".utf8), Data("ends in return\r".utf8), Data("ends in newline\n".utf8),
        Data("\r\n--KenshinCuiX\n--Bx".utf8), Data(),
        Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
    ]

    @Test func bothUploadBodiesArriveByteForByte() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let login = "userName=ada&password=secretsecret"
        for (index, content) in Self.contents.enumerated() {
            for (kind, body, boundary) in [
                ("a", Self.kenshin(content), "KenshinCui"), ("b", Self.second(content), "B"),
            ] {
                let name = "照片 \(kind)\(index).jpg"
                let escaped = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let response = try await Self.upload(
                    server, body, boundary: boundary, query: "?file=\(escaped)&\(login)")
                #expect(
                    response.status == 200
                        && response.text.contains("\"files\":[{\"name\":\"\(name)\",\"size\":\(content.count),"),
                    "\(response.text)")
                let back = try await RawHTTP.send(port: server.port, "GET", "/FileDownload.aspx?file=\(escaped)")
                #expect(back.status == 200 && back.body == content)
            }
        }
        try await server.stop()
        #expect(!server.log.contains("secret"))
    }

    @Test func uploadRequiresALoginAndACompleteBody() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let body = Self.kenshin(Data("x".utf8))
        #expect(try await Self.upload(server, body, boundary: "KenshinCui", query: "").status == 401)
        #expect(
            try await Self.upload(server, body, boundary: "KenshinCui", query: "?userName=ada&password=wrong").status
                == 401)
        let login = "?userName=ada&password=secretsecret"
        #expect(try await Self.upload(server, body.dropLast(6), boundary: "KenshinCui", query: login).status == 400)
        #expect(try await Self.upload(server, body, boundary: "Other", query: login).status == 400)
        #expect(try await Self.upload(server, Data("nonsense".utf8), boundary: "B", query: login).status == 400)
        #expect(try await Self.upload(server, body, boundary: "KenshinCui", query: login).text.contains("\"pic.jpg\""))
        #expect(
            try await Self.upload(server, body, boundary: "KenshinCui", query: login).text.contains("\"pic-2.jpg\""))
        let open = try await ServerProcess.start(["--allow-anonymous-uploads"])
        #expect(try await Self.upload(open, body, boundary: "KenshinCui", query: "").status == 200)
    }

    /// HEAD for the size, then the file in parts, as the tutorial's downloader does.
    @Test func fileIsDownloadedInParts() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let content = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        _ = try await Self.upload(
            server, Self.kenshin(content), boundary: "KenshinCui", query: "?userName=ada&password=secretsecret")
        let head = try await RawHTTP.send(port: server.port, "HEAD", "/FileDownload.aspx?file=pic.jpg")
        #expect(head.status == 200 && head.headers["content-length"] == "50000" && head.body.isEmpty)
        var whole = Data()
        while whole.count < 50_000 {
            let part = try await RawHTTP.send(
                port: server.port, "GET", "/FileDownload.aspx?file=pic.jpg",
                headers: ["Range: Bytes=\(whole.count)-\(whole.count + 10_239)"])
            #expect(part.status == 206 && part.headers["content-range"]?.hasPrefix("bytes \(whole.count)-") == true)
            whole += part.body
        }
        #expect(whole == content)
        let beyond = try await RawHTTP.send(
            port: server.port, "GET", "/FileDownload.aspx?file=pic.jpg", headers: ["Range: bytes=50000-"])
        #expect(beyond.status == 416 && beyond.headers["content-range"] == "bytes */50000")
    }

    @Test func pictureURLsReturnImages() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada", options: ["--role", "admin", "--display-name", "Ada ✨", "--city", "北京"])
        let token = try await server.token("ada")
        _ = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses", headers: ["Authorization: Bearer \(token)"],
            body: Data("status=hi".utf8))
        let list = try await RawHTTP.send(
            port: server.port, "POST", "/ViewStatus.aspx", body: Data("userName=ada&password=secretsecret".utf8))
        let object = try JSONSerialization.jsonObject(with: list.body) as? [String: Any]
        let status = try #require((object?["statuses"] as? [[String: Any]])?.first)
        for key in ["profileImageUrl", "mbtype"] {
            let address = try #require(status[key] as? String)
            let path = try #require(URL(string: address)?.path)
            let picture = try await RawHTTP.send(port: server.port, "GET", path)
            #expect(picture.status == 200 && picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            let tag = try #require(picture.headers["etag"])
            let again = try await RawHTTP.send(port: server.port, "GET", path, headers: ["If-None-Match: \(tag)"])
            #expect(again.status == 304 && again.body.isEmpty)
        }
        #expect((status["user"] as? [String: Any])?["city"] as? String == "北京")
    }
}
