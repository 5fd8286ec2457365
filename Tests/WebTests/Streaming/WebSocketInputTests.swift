import FeedCore
import FeedTestSupport
import NIOCore
import NIOWebSocket
import TestKit
import Testing

@testable import FeedWeb

struct WebSocketInputTests {
    private static let mask: WebSocketMaskingKey = [1, 2, 3, 4]

    private static func frame(
        _ opcode: WebSocketOpcode, _ bytes: [UInt8], fin: Bool = true, isMasked: Bool = true
    ) -> WebSocketFrame {
        var data = ByteBuffer(bytes: bytes)
        if isMasked { data.webSocketMask(mask) }
        return WebSocketFrame(fin: fin, opcode: opcode, maskKey: isMasked ? mask : nil, data: data)
    }

    private static func text(_ text: String, _ opcode: WebSocketOpcode = .text, fin: Bool = true) -> WebSocketFrame {
        frame(opcode, Array(text.utf8), fin: fin)
    }

    private static func code(_ action: WebSocketInput.Action) -> WebSocketErrorCode? {
        if case .fail(let code, _) = action { code } else { nil }
    }

    @Test func messagesAreAssembled() {
        var input = WebSocketInput()
        #expect(input.receive(Self.text("hello")) == .message("hello"))
        #expect(input.receive(Self.text("")) == .message(""))
        #expect(input.receive(Self.text("a", fin: false)) == .none)
        // A character may be divided, and control frames may come in between (RFC 6455 §5.4).
        #expect(input.receive(Self.frame(.continuation, [0xC3], fin: false)) == .none)
        #expect(input.receive(Self.frame(.ping, [7])) == .pong(ByteBuffer(bytes: [7])))
        #expect(input.receive(Self.frame(.continuation, [0xA4])) == .message("aä"))
        #expect(input.receive(Self.text("next")) == .message("next"))
        #expect(input.receive(Self.frame(.pong, [])) == .none)
    }

    @Test func violationsHaveTheirCode() {
        let first: [(String, WebSocketFrame, WebSocketErrorCode)] = [
            ("unmasked", Self.frame(.text, [65], isMasked: false), .protocolError),
            ("unmasked ping", Self.frame(.ping, [], isMasked: false), .protocolError),
            ("binary", Self.frame(.binary, [1]), .unacceptableData),
            ("continuation of nothing", Self.text("x", .continuation), .protocolError),
            ("not UTF-8", Self.frame(.text, [0xFF, 0xFE]), .dataInconsistentWithMessage),
            ("a surrogate", Self.frame(.text, [0xED, 0xA0, 0x80]), .dataInconsistentWithMessage),
            ("half a close code", Self.frame(.connectionClose, [3]), .protocolError),
            ("a reserved close code", Self.frame(.connectionClose, [3, 0xED]), .protocolError),
            ("close code 0", Self.frame(.connectionClose, [0, 0]), .protocolError),
            (
                "a reason that is not UTF-8", Self.frame(.connectionClose, [3, 0xE8, 0xFF]),
                .dataInconsistentWithMessage
            ),
        ]
        for (name, frame, code) in first {
            var input = WebSocketInput()
            #expect(Self.code(input.receive(frame)) == code, "\(name)")
        }
    }

    @Test func reservedBitsAndOpcodesAreRefused() {
        for bit in [0x10, 0x20, 0x40] as [UInt8] {
            var frame = Self.text("x")
            frame.rsv1 = bit == 0x40
            frame.rsv2 = bit == 0x20
            frame.rsv3 = bit == 0x10
            var input = WebSocketInput()
            #expect(Self.code(input.receive(frame)) == .protocolError)
        }
        for number in [3, 7, 11, 15] {
            guard let opcode = WebSocketOpcode(encodedWebSocketOpcode: UInt8(number)) else { continue }
            var input = WebSocketInput()
            #expect(Self.code(input.receive(Self.frame(opcode, []))) == .protocolError, "\(number)")
        }
    }

    @Test func textInsideAMessageIsRefused() {
        var input = WebSocketInput()
        #expect(input.receive(Self.text("a", fin: false)) == .none)
        #expect(Self.code(input.receive(Self.text("b"))) == .protocolError)
    }

    @Test func sizeAndNumberOfFragmentsAreLimited() {
        var input = WebSocketInput()
        let half = [UInt8](repeating: 65, count: WebSocketInput.maximumBytes / 2)
        #expect(input.receive(Self.frame(.text, half, fin: false)) == .none)
        #expect(input.receive(Self.frame(.continuation, half, fin: false)) == .none)
        #expect(Self.code(input.receive(Self.frame(.continuation, [65], fin: false))) == .messageTooLarge)
        var many = WebSocketInput()
        #expect(many.receive(Self.frame(.text, [], fin: false)) == .none)
        for _ in 1..<WebSocketInput.maximumFragments {
            #expect(many.receive(Self.frame(.continuation, [], fin: false)) == .none)
        }
        #expect(Self.code(many.receive(Self.frame(.continuation, [], fin: false))) == .messageTooLarge)
    }

    @Test func closeFramesAreAnsweredWithTheirCode() {
        for (bytes, code) in [([], 1000), ([3, 0xE9], 1001), ([0x0F, 0xA0] + Array("bye".utf8), 4000)]
            as [([UInt8], UInt16)]
        {
            var input = WebSocketInput()
            #expect(input.receive(Self.frame(.connectionClose, bytes)) == .closed(code))
        }
    }

    /// Whatever the frames, nothing but complete messages in UTF-8 come out.
    @Test func randomFramesAreHandled() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            var input = WebSocketInput()
            for _ in 0..<8 {
                let opcode = WebSocketOpcode(encodedWebSocketOpcode: UInt8.random(in: 0...15, using: &random))
                let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
                let frame = Self.frame(
                    opcode ?? .text, bytes, fin: Bool.random(using: &random),
                    isMasked: Int.random(in: 0..<9, using: &random) > 0)
                if case .message(let text) = input.receive(frame) {
                    #expect(text.utf8.count <= WebSocketInput.maximumBytes, "seed \(seed)")
                }
            }
        }
    }
}

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
