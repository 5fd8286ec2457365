import FeedCore
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct ImportLineTests {
    private static func record(_ line: String) throws(FeedError) -> ImportRecord {
        try ImportRecord(line: Data(line.utf8), decoder: JSONDecoder())
    }

    private static func status(_ members: String) -> String {
        #"{"kind":"status","author":"a","created_at":"2023-01-01T00:00:00Z","text":"x",\#(members)}"#
    }

    @Test(arguments: [
        (status(#""visiblity":"direct""#), #"unknown member "visiblity"; did you mean "visibility"?"#),
        (status(#""Sensitive":true"#), #"unknown member "Sensitive"; did you mean "sensitive"?"#),
        (status(#""zzzzzzzz":1,"foo":null"#), #"unknown member "foo""#),
        (
            status(#""media":[{"file":"a.png","descripton":"x"}]"#),
            #"unknown member "descripton"; did you mean "description"?"#
        ),
        (status(#""media":[{"file":"a.png","kind":"x"}]"#), #"unknown member "kind""#),
        (#"{"kind":"status","author":"a","created_at":"x","txt":"x"}"#, #"unknown member "txt"; did you mean "text"?"#),
        (#"{"kind":"account","username":"a","password":"secret"}"#, #"unknown member "password""#),
        (#"{"kind":"account","username":"a","from":"b"}"#, #"unknown member "from""#),
        (#"{"kind":"follow","from":"a","to":"b","n":1}"#, #"unknown member "n""#),
        (#"{"kind":"boost"}"#, #"unknown kind "boost""#), (#"{"username":"a"}"#, #"has no "kind""#),
        (#"{"kind":1}"#, #"has a value of the wrong type for "kind""#),
        (#"{"kind":"account"}"#, #"has no "username""#),
        (status(#""media":[{"file":1}]"#), #"has a value of the wrong type for "media."#),
    ])
    func lineWithAFaultIsRefused(line: String, message: String) throws {
        let error = try #require(throws: FeedError.self) { try Self.record(line) }
        #expect(error.kind == .malformed && error.message.hasPrefix(message), "\(error.message)")
    }

    @Test func everyMemberOfTheManualIsRead() throws {
        var account = ImportRecord.Account(username: "a")
        (account.display_name, account.city, account.note, account.email) = ("A", "B", "C", "a@x")
        (account.role, account.created_at) = ("admin", "2023-01-01T00:00:00Z")
        (account.avatar, account.header) = ("a.png", "h.png")
        let line = """
            {"kind":"account","username":"a","display_name":"A","city":"B","note":"C","email":"a@x","role":"admin",\
            "created_at":"2023-01-01T00:00:00Z","avatar":"a.png","header":"h.png"}
            """
        #expect(try Self.record(line) == .account(account))
        #expect(try Self.record(#"{"kind":"follow","from":"a","to":"b"}"#) == .follow(.init(from: "a", to: "b")))
    }

    @Test func everyMemberOfAStatusIsRead() throws {
        var status = ImportRecord.Status(author: "a", created_at: "2023-01-01T00:00:00Z", text: "x")
        (status.n, status.in_reply_to, status.language, status.source) = (2, 1, "en", "web")
        (status.visibility, status.spoiler_text, status.sensitive) = ("direct", "cw", true)
        var media = ImportRecord.Media(file: "a.png")
        (media.description, media.focus) = ("boat", [0.5, -1])
        status.media = [media, ImportRecord.Media(file: "b.png")]
        let members = """
            "n":2,"in_reply_to":1,"language":"en","source":"web","visibility":"direct","spoiler_text":"cw",\
            "sensitive":true,"media":[{"file":"a.png","description":"boat","focus":[0.5,-1]},{"file":"b.png"}]
            """
        #expect(try Self.record(Self.status(members)) == .status(status))
    }
}
