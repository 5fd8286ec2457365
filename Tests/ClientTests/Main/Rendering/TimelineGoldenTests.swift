import FeedTerminal
import TestKit
import Testing

@testable import feedclient

/// The complete output for a timeline, at several widths.
@Suite(.hangLimit)
struct TimelineGoldenTests {
    @Test func timelineInThirtyColumns() {
        #expect(
            GoldenOutput.timeline(30) == """
                [A] ⟳ Bob and Eve boosted
                    Ada Lovelace            2h
                    @ada.lovelace@a.rather.long.instance.example
                    Hi @bob :blobcat:, see the
                    page
                    (https://c.test/page).

                    1. first
                    2. second, which is long
                       enough to wrap

                    > 「引用」は、このように表
                    > 示されます。よろしいです
                    > か？
                    ▣ image: A red boat at sea
                    https://a.test/media/1.jpg
                    [1] yes
                        ███████████░░░ 75% (3)
                    [2] no
                        ████░░░░░░░░░░ 25% (1)
                    4 votes · closed
                    │ Eve @eve
                    │ quoted words
                    │ 77
                    ↗ The page
                    ↩ 2 · ⟳ 3 · ★ 4
                    edited 10m ago · unlisted
                    Tusky
                    01HX3Z6QTRKJ8M2V5W7Y9ABCDE

                [G] Grace @grace            2h
                    ⚠ Spoilers
                    (hidden)
                    feedclient show 78
                    78

                """)
    }

    @Test func timelineInEightyColumns() {
        #expect(
            GoldenOutput.timeline(80) == """
                [A] ⟳ Bob and Eve boosted
                    Ada Lovelace @ada.lovelace@a.rather.long.instance.example                 2h
                    Hi @bob :blobcat:, see the page (https://c.test/page).

                    1. first
                    2. second, which is long enough to wrap

                    > 「引用」は、このように表示されます。よろしいですか？
                    ▣ image: A red boat at sea
                    https://a.test/media/1.jpg
                    [1] yes
                        ███████████████████████░░░░░░░ 75% (3)
                    [2] no
                        ████████░░░░░░░░░░░░░░░░░░░░░░ 25% (1)
                    4 votes · closed
                    │ Eve @eve
                    │ quoted words
                    │ 77
                    ↗ The page
                    ↩ 2 · ⟳ 3 · ★ 4 · edited 10m ago · unlisted · Tusky
                    01HX3Z6QTRKJ8M2V5W7Y9ABCDE

                [G] Grace @grace                                                              2h
                    ⚠ Spoilers
                    (hidden; feedclient show 78)
                    78

                """)
    }

    /// Text is at most a hundred columns wide.
    @Test func timelineInAHundredAndTwentyColumns() {
        #expect(
            GoldenOutput.timeline(120) == """
                [A] ⟳ Bob and Eve boosted
                    Ada Lovelace @ada.lovelace@a.rather.long.instance.example                                     2h
                    Hi @bob :blobcat:, see the page (https://c.test/page).

                    1. first
                    2. second, which is long enough to wrap

                    > 「引用」は、このように表示されます。よろしいですか？
                    ▣ image: A red boat at sea
                    https://a.test/media/1.jpg
                    [1] yes
                        ███████████████████████░░░░░░░ 75% (3)
                    [2] no
                        ████████░░░░░░░░░░░░░░░░░░░░░░ 25% (1)
                    4 votes · closed
                    │ Eve @eve
                    │ quoted words
                    │ 77
                    ↗ The page
                    ↩ 2 · ⟳ 3 · ★ 4 · edited 10m ago · unlisted · Tusky · 01HX3Z6QTRKJ8M2V5W7Y9ABCDE

                [G] Grace @grace                                                                                  2h
                    ⚠ Spoilers
                    (hidden; feedclient show 78)
                    78

                """)
    }

    /// Lines are whole, and times absolute.
    @Test func timelineInAFile() {
        #expect(
            GoldenOutput.timeline(.max) == """
                [A] ⟳ Bob and Eve boosted
                    Ada Lovelace  @ada.lovelace@a.rather.long.instance.example  \(LocalTime.full(1_699_992_500_000))
                    Hi @bob :blobcat:, see the page (https://c.test/page).

                    1. first
                    2. second, which is long enough to wrap

                    > 「引用」は、このように表示されます。よろしいですか？
                    ▣ image: A red boat at sea
                    https://a.test/media/1.jpg
                    [1] yes
                        ███████████████████████░░░░░░░ 75% (3)
                    [2] no
                        ████████░░░░░░░░░░░░░░░░░░░░░░ 25% (1)
                    4 votes · closed
                    │ Eve @eve
                    │ quoted words
                    │ 77
                    ↗ The page
                    ↩ 2 · ⟳ 3 · ★ 4 · edited \(LocalTime.full(1_699_999_400_000)) · unlisted · Tusky · 01HX3Z6QTRKJ8M2V5W7Y9ABCDE

                [G] Grace  @grace  \(LocalTime.full(1_699_992_500_000))
                    ⚠ Spoilers
                    (hidden; feedclient show 78)
                    78

                """)
    }

    @Test func timelineInASCII() {
        #expect(
            GoldenOutput.timeline(30, TextStyle(hasColor: false, isASCII: true)) == """
                [A] ^ Bob and Eve boosted
                    Ada Lovelace            2h
                    @ada.lovelace@a.rather.long.instance.example
                    Hi @bob :blobcat:, see the
                    page
                    (https://c.test/page).

                    1. first
                    2. second, which is long
                       enough to wrap

                    > "??"?, ???????????.
                    > ????????
                    # image: A red boat at sea
                    https://a.test/media/1.jpg
                    [1] yes
                        ###########... 75% (3)
                    [2] no
                        ####.......... 25% (1)
                    4 votes - closed
                    | Eve @eve
                    | quoted words
                    | 77
                    > The page
                    < 2 - ^ 3 - * 4
                    edited 10m ago - unlisted
                    Tusky
                    01HX3Z6QTRKJ8M2V5W7Y9ABCDE

                [G] Grace @grace            2h
                    ! Spoilers
                    (hidden)
                    feedclient show 78
                    78

                """)
    }
}
