import FeedCore
import Testing

@testable import FeedWeb

struct WebSocketCommandTests {
    @Test func streamsAreSubscribedTo() throws {
        let text = ##"{"type":"subscribe","stream":"hashtag:local","tag":"#Bikes","since":"E-7"}"##
        let command = try WebSocketCommand(text)
        guard case .subscribe(let selection) = command else {
            Issue.record("\(command)")
            return
        }
        #expect(selection.stream == .hashtagLocal("bikes") && selection.since == ChangeCursor(epoch: "E", sequence: 7))
        // As the client has written it.
        #expect(selection.array == ["hashtag:local", "Bikes"])
        // Apps send ids as texts or numbers.
        for id in ["12", "\"12\""] {
            let text = "{\"type\":\"subscribe\",\"stream\":\"list\",\"list\":\(id)}"
            guard case .subscribe(let list) = try WebSocketCommand(text) else { continue }
            #expect(list.stream == .list(12) && list.array == ["list", "12"])
        }
        #expect(try WebSocketCommand(#"{"stream":"user","type":"unsubscribe"}"#) == .unsubscribe(.user))
        let media = try WebSocketCommand(#"{"type":"unsubscribe","stream":"public","only_media":true}"#)
        #expect(media == .unsubscribe(.publicMedia))
    }

    @Test(arguments: [
        "", " ", "x", "[]", "null", "1", "\"subscribe\"", "{", "{}", #"{"type":1}"#, #"{"type":"subscribe"}"#,
        #"{"type":"subscribe","stream":"nowhere"}"#, #"{"type":"subscribe","stream":"hashtag"}"#,
        #"{"type":"subscribe","stream":"hashtag","tag":"a b"}"#, #"{"type":"subscribe","stream":"list"}"#,
        #"{"type":"subscribe","stream":"list","list":"x"}"#, #"{"type":[],"stream":"user"}"#,
        #"{"type":"subscribe","stream":"user","since":"E-x"}"#, #"{"type":"delete","stream":"user"}"#,
        #"{"type":"subscribe","stream":"user"}{"#, "{\"type\":\"subscribe\",\"stream\":\"us\u{0}er\"}",
    ])
    func otherMessagesAreRefused(text: String) {
        let error = #expect(throws: FeedError.self) { try WebSocketCommand(text) }
        #expect(error?.kind == .malformed, "\(text)")
    }

    @Test func manyValuesAndDeepNestingAreRefused() {
        let many = "{" + (0..<100).map { "\"a\($0)\":1" }.joined(separator: ",") + "}"
        #expect(throws: FeedError.self) { try WebSocketCommand(many) }
        let deep = String(repeating: "[", count: 30_000)
        #expect(throws: FeedError.self) { try WebSocketCommand("{\"type\":" + deep) }
    }
}
