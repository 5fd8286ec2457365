import FeedCore
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct ImportNumberTests {
    /// Every field of a line, as a number and as text, is either imported or rejected.
    @Test func everyNumberInALineIsImportedOrRejected() {
        let lines = EdgeNumbers.texts.flatMap { number in
            [
                #"{"kind":"status","n":\#(number),"author":"a","created_at":"2023-01-01T00:00:00Z","text":"x"}"#,
                #"{"kind":"status","n":1,"in_reply_to":\#(number),"author":"a","created_at":"x","text":"x"}"#,
                #"{"kind":"status","n":"\#(number)","author":"a","created_at":"\#(number)","text":"x"}"#,
            ]
        }
        for line in lines {
            let record = try? ImportRecord(line: Data(line.utf8), decoder: JSONDecoder())
            if case .status(let status) = record { _ = try? ImportRecord.time(status.created_at) }
        }
        for year in ["0000", "9999", "10000", "292277026597", "-292277026597", "99999999999999999999"] {
            _ = try? ImportRecord.time(year + "-12-31T23:59:59.999Z")
        }
    }

    @Test(arguments: [
        #"{"kind":"account","username":"a","note":"x\u0000y"}"#, #"{"kind":"follow","from":"a\u0000","to":"b"}"#,
        #"{"kind":"status","author":"a","created_at":"2023-01-01T00:00:00Z","text":"a\u0000b tail"}"#,
    ])
    func lineWithNULIsRejected(line: String) {
        let error = #expect(throws: FeedError.self) {
            try ImportRecord(line: Data(line.utf8), decoder: JSONDecoder())
        }
        #expect(error?.kind == .malformed)
    }
}
