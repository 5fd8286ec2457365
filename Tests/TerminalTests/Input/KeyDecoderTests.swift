import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct KeyDecoderTests {
    @Test(
        arguments: [
            ("j", [.character("j")]), ("\r", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]),
            ("\u{3}", [.control("c")]), ("\u{13}", [.control("s")]), ("\u{1B}[A\u{1B}OB", [.up, .down]),
            ("\u{1B}[1;5C", [.right]), ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.pageUp, .pageDown, .delete]),
            ("\u{1B}[Z\u{1B}[H\u{1B}[4~", [.backTab, .home, .end]),
            ("é中🎉", [.character("é"), .character("中"), .character("🎉")]),
            ("\u{1B}[200~a\u{1B}[31m\nb\u{1B}[201~c", [.paste("a\u{1B}[31m\nb"), .character("c")]),
            ("\u{1B}x", [.escape, .character("x")]), ("\u{1B}[99;99Xq", [.character("q")]), ("\0", []),
        ] as [(String, [Key])])
    func keysAreDecodedHoweverTheyArrive(sent: String, keys: [Key]) {
        var whole = KeyDecoder()
        #expect(whole.keys(sent.utf8) == keys)
        var single = KeyDecoder()
        #expect(sent.utf8.flatMap { single.keys([$0]) } == keys)
    }

    @Test func escapeAloneIsAKeyAfterAPause() {
        var decoder = KeyDecoder()
        #expect(decoder.keys([0x1B]) == [] && decoder.isPending)
        #expect(decoder.flush() == [.escape] && !decoder.isPending)
        #expect(decoder.keys(Array("\u{1B}[".utf8)) == [])
        #expect(decoder.flush() == [])
        #expect(decoder.keys([0x6A]) == [.character("j")])
    }

    @Test func twoEscapesAreOneKeyAndTheStartOfAnother() {
        var decoder = KeyDecoder()
        #expect(decoder.keys([0x1B, 0x1B]) == [.escape])
        #expect(decoder.flush() == [.escape])
    }

    @Test(
        arguments: [[0xFF], [0xC3, 0x28], [0xE4, 0xB8, 0x71], [0x80], [0xF5, 0x71], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func invalidBytesAreNoCharacters(bytes: [UInt8]) {
        var decoder = KeyDecoder()
        let keys = decoder.keys(bytes + [0x6A])
        #expect(keys.last == .character("j"))
        #expect(keys.count <= 2)
    }

    /// The end is recognized however much of the text is ignored.
    @Test(arguments: [-1, 0, 1, 50_000])
    func longPasteIsCut(excess: Int) {
        let limit = KeyDecoder.maximumPaste
        let text = (0..<limit + excess).map { $0 % 7 == 0 ? UInt8(ascii: "~") : UInt8(ascii: "0") + UInt8($0 % 10) }
        var decoder = KeyDecoder()
        let keys = decoder.keys(Array("\u{1B}[200~".utf8) + text + Array("\u{1B}[201~j".utf8))
        // A failure does not print the text.
        let isCut = keys == [.paste(String(decoding: text.prefix(limit), as: UTF8.self)), .character("j")]
        #expect(isCut)
    }

    @Test func anyBytesAreDecoded() {
        var mutator = Mutator(seed: 47, fragments: ["\u{1B}[200~", "\u{1B}[201~", "\u{1B}[", "中"])
        for _ in 0..<2000 {
            var decoder = KeyDecoder()
            let bytes = mutator.mutated(Array("a\u{1B}[A中\u{1B}[200~x\u{1B}[201~\u{1B}OHz".utf8))
            let whole = decoder.keys(bytes)
            var divided = KeyDecoder()
            #expect(mutator.pieces(bytes).flatMap { divided.keys($0) } == whole)
        }
    }
}
