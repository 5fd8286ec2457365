import FeedAPI
import FeedCore
import Foundation
import Testing

@testable import FeedWeb

/// The format of the access log.
@Suite struct AccessLogEntryTests {
    private static func entry() -> AccessLogEntry {
        AccessLogEntry(
            time: 1_700_000_000_123, id: "4k2m", method: "GET", path: "/api/v1/statuses/1", status: 200, bytes: 17,
            microseconds: 1234, address: "127.0.0.1", user: "ada", agent: "curl/8.5.0")
    }

    /// The `data` of a line of JSON.
    private static func data(_ entry: AccessLogEntry) throws -> [String: Any] {
        #expect(!entry.json.contains("\n"))
        let line = try #require(JSONSerialization.jsonObject(with: Data(entry.json.utf8)) as? [String: Any])
        #expect(line["level"] as? String == "info" && line["message"] as? String == "request")
        return try #require(line["data"] as? [String: Any])
    }

    @Test func textLineHasAllFields() {
        #expect(
            Self.entry().text
                == "2023-11-14T22:13:20.123Z info request method=GET path=/api/v1/statuses/1 status=200 bytes=17 "
                + "ms=1.234 from=127.0.0.1 user=ada id=4k2m agent=curl/8.5.0")
        var entry = Self.entry()
        (entry.bytes, entry.user, entry.agent, entry.microseconds) = (nil, nil, nil, 7)
        #expect(entry.text.hasSuffix("bytes=- ms=0.007 from=127.0.0.1 user=- id=4k2m agent=-"))
    }

    @Test(arguments: [
        ("limit=20&max_id=7", "limit=20&max_id=7"), ("access_token=S3&limit=2", "access_token=***&limit=2"),
        ("userName=ada&password=S3", "userName=ada&password=***"), ("PassWord=S3", "PassWord=***"),
        ("code=S3&state=x", "code=***&state=x"), ("client_secret=S3", "client_secret=***"),
        ("a%63cess_toke%6E=S3", "a%63cess_toke%6E=***"), ("user%5Bpassword%5D=S3", "user%5Bpassword%5D=***"),
        ("redirect_uri=/x?token=S3", "redirect_uri=***"), ("redirect_uri=%2Fx%3Ftoken%3DS3", "redirect_uri=***"),
        ("a=1;token=S3", "a=***"), ("q=a+token&x", "q=a+token&x"), ("", ""), ("&&=", "&&="), ("token", "token"),
        ("token=", "token=***"), ("author=ada&auth=S3", "author=ada&auth=***"), ("q=%zz%", "q=%zz%"),
        ("%=1&%7=2", "%=1&%7=2"), ("q=\u{600}&token=\u{301}S3", "q=\u{600}&token=***"),
    ])
    func secretsInTheQueryAreHidden(query: String, shown: String) throws {
        #expect(LoggedQuery.text(query) == shown)
        var entry = Self.entry()
        entry.query = query
        #expect(!entry.text.contains("S3") && entry.text.contains(" path=/api/v1/statuses/1 query="))
        #expect(try Self.data(entry)["query"] as? String == LogEscaping.json(shown))
    }

    /// Nothing of a secret remains if the query is cut within it.
    @Test func longQueryIsCut() throws {
        var entry = Self.entry()
        entry.query =
            "limit=2&" + String(repeating: "x", count: 900) + "&access_token=" + String(repeating: "S3", count: 99)
        #expect(entry.text.contains("&access_token=***\" status=") && !entry.text.contains("S3"))
        entry.query = "q=" + String(repeating: "x", count: 100_000)
        #expect(entry.text.utf8.count < 2000 && entry.bounded.text == entry.text && entry.bounded.json == entry.json)
        #expect(entry.bounded.cost < 3000)
    }

    @Test func jsonNumbersAreNumbers() throws {
        let data = try Self.data(Self.entry())
        #expect(data["status"] as? Int == 200 && data["bytes"] as? Int == 17 && data["ms"] as? Double == 1.234)
        #expect(Self.entry().json.contains("\"status\":200,\"bytes\":17,\"ms\":1.234,"))
        #expect(data["query"] is NSNull)
        #expect(data["user"] as? String == "ada" && data["agent"] as? String == "curl/8.5.0")
        var entry = Self.entry()
        (entry.bytes, entry.user, entry.agent, entry.microseconds) = (nil, nil, nil, 0)
        let empty = try Self.data(entry)
        #expect(empty["bytes"] is NSNull && empty["user"] is NSNull && empty["agent"] is NSNull)
        #expect(empty["ms"] as? Double == 0)
    }

    @Test(arguments: [
        ("/join/SECRET", "/join/***"), ("//join/SECRET/more", "/join/***"), ("/join", "/join"), ("/join/", "/join/"),
        ("/settings/invitations/SECRET/revoke", "/settings/invitations/***"),
        ("/settings/invitations", "/settings/invitations"),
        ("/uploads/8f3a", "/uploads/***"), ("/joined/x", "/joined/x"), ("/files/join", "/files/join"), ("/", "/"),
        ("/x%0Ay", "/x%0Ay"), ("/join//x", "/join/***"), ("//uploads/", "//uploads/"), ("join/x", "/join/***"),
        ("/reset/SECRET", "/reset/***"), ("/admin/invitations/SECRET/revoke", "/admin/invitations/***"),
        ("/admin/invitations", "/admin/invitations"),
    ])
    func secretPathsAreHidden(path: String, shown: String) throws {
        var entry = Self.entry()
        entry.path = path
        #expect(entry.text.contains(" path=\(shown) status="))
        #expect(try Self.data(entry)["path"] as? String == shown)
    }

    @Test(arguments: [
        "x\n2023-11-14T22:13:20.123Z info request method=GET", "x\" status=500 from=\"10.0.0.1", "x status=500",
        "\u{1B}[31mred", "\u{202E}drawkcab", "\u{9B}31m", "\u{0}", "\r\n", "\\", "", "-", "\u{2028}",
    ])
    func hostileValuesStayInTheirField(value: String) throws {
        var entry = Self.entry()
        (entry.agent, entry.user, entry.path, entry.method, entry.id) = (value, value, value, value, value)
        entry.query = value
        #expect(entry.text.matches(of: #/ status=200 /#).count == 1)
        for line in [entry.text, entry.json] {
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
            #expect(!line.contains("\u{202E}") && !line.contains("\u{2028}"), "\(line)")
        }
        #expect(try Self.data(entry)["status"] as? Int == 200)
    }

    @Test func longValuesAreCut() throws {
        var entry = Self.entry()
        entry.agent = String(repeating: "a", count: 100_000)
        entry.path = "/" + String(repeating: "b", count: 100_000)
        entry.method = String(repeating: "C", count: 100_000)
        #expect(entry.text.utf8.count < 2000 && entry.json.utf8.count < 2000)
        #expect(try (Self.data(entry)["agent"] as? String)?.count == 257)
    }

    /// Text that is cut from a line does not wait in memory until the line is written.
    @Test func boundedEntryHasTheSameLine() {
        #expect(Self.entry().bounded == Self.entry())
        var entry = Self.entry()
        entry.agent = String(repeating: "a", count: 100_000)
        entry.path = "/" + String(repeating: "b", count: 100_000)
        entry.method = String(repeating: "C", count: 100_000)
        #expect(entry.bounded.text == entry.text && entry.bounded.json == entry.json)
        #expect(entry.cost > 300_000 && entry.bounded.cost < 3000)
    }

    /// Many lines are formatted with the same state.
    @Test func timesAreThoseOfISO8601() {
        var times = LogTimes()
        for time: Int64 in [
            0, 1, 999, 1000, 1_700_000_000_000, 1_700_000_000_009, 1_700_000_000_120, 1_699_999_999_999,
            1_700_000_001_000, 253_402_300_799_999, -1, -1000, 5,
        ] {
            var line: [UInt8] = []
            times.append(time, to: &line)
            #expect(String(decoding: line, as: UTF8.self) == ISO8601.text(milliseconds: time), "\(time)")
        }
    }
}

extension AccessLogEntry {
    /// The line as text.
    var text: String { line(as: .text) }
    /// The line as JSON.
    var json: String { line(as: .json) }

    private func line(as format: AccessLog.Format) -> String {
        var (line, times): ([UInt8], LogTimes) = ([], LogTimes())
        append(to: &line, as: format, times: &times)
        return String(decoding: line, as: UTF8.self)
    }
}

extension LogLine {
    /// The line in the format of its log, without the line break.
    var text: String {
        var (line, times): ([UInt8], LogTimes) = ([], LogTimes())
        append(to: &line, times: &times)
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}
