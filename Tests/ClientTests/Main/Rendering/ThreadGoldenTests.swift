import FeedTerminal
import TestKit
import Testing

@testable import feedclient

/// The complete output for a thread, at several widths.
@Suite(.hangLimit)
struct ThreadGoldenTests {
    @Test func threadInThirtyColumns() {
        #expect(
            GoldenOutput.thread(30) == """
                [A] Ada @ada                2h
                    the start
                    1

                ▌ [B] Bob @bob              2h
                ▌     ↪ a reply
                ▌     ⚠ cw
                ▌     secret words
                ▌     2

                │ [E] Eve @eve              2h
                │     ↪ a reply
                │     an answer that is long
                │     enough to wrap
                │     3
                │
                │ │ [A] Ada @ada            2h
                │ │     ↪ a reply
                │ │     and one to that
                │ │     4
                │ │
                │ [A] Ada @ada              2h
                │     ↪ a reply
                │     ⚠ cw
                │     (hidden)
                │     feedclient show 5
                │     5
                │
                """)
    }

    @Test func threadInEightyColumns() {
        #expect(
            GoldenOutput.thread(80) == """
                [A] Ada @ada                                                                  2h
                    the start
                    1

                ▌ [B] Bob @bob                                                                2h
                ▌     ↪ a reply
                ▌     ⚠ cw
                ▌     secret words
                ▌     2

                │ [E] Eve @eve                                                                2h
                │     ↪ a reply
                │     an answer that is long enough to wrap
                │     3
                │
                │ │ [A] Ada @ada                                                              2h
                │ │     ↪ a reply
                │ │     and one to that
                │ │     4
                │ │
                │ [A] Ada @ada                                                                2h
                │     ↪ a reply
                │     ⚠ cw
                │     (hidden; feedclient show 5)
                │     5
                │
                """)
    }

    @Test func threadInColor() {
        #expect(
            GoldenOutput.thread(80, TextStyle(hasColor: true)) == """
                \u{1B}[48;5;130;38;5;231m A \u{1B}[0m \u{1B}[1mAda\u{1B}[0m \u{1B}[2m@ada\u{1B}[0m                                                                  \u{1B}[2m2h\u{1B}[0m
                    the start
                    \u{1B}[2m1\u{1B}[0m

                \u{1B}[1m▌ \u{1B}[0m\u{1B}[48;5;90;38;5;231m B \u{1B}[0m \u{1B}[1mBob\u{1B}[0m \u{1B}[2m@bob\u{1B}[0m                                                                \u{1B}[2m2h\u{1B}[0m
                \u{1B}[1m▌ \u{1B}[0m    \u{1B}[2m↪ a reply\u{1B}[0m
                \u{1B}[1m▌ \u{1B}[0m    \u{1B}[1m⚠ cw\u{1B}[0m
                \u{1B}[1m▌ \u{1B}[0m    secret words
                \u{1B}[1m▌ \u{1B}[0m    \u{1B}[2m2\u{1B}[0m

                \u{1B}[2m│ \u{1B}[0m\u{1B}[48;5;92;38;5;231m E \u{1B}[0m \u{1B}[1mEve\u{1B}[0m \u{1B}[2m@eve\u{1B}[0m                                                                \u{1B}[2m2h\u{1B}[0m
                \u{1B}[2m│ \u{1B}[0m    \u{1B}[2m↪ a reply\u{1B}[0m
                \u{1B}[2m│ \u{1B}[0m    an answer that is long enough to wrap
                \u{1B}[2m│ \u{1B}[0m    \u{1B}[2m3\u{1B}[0m
                \u{1B}[2m│\u{1B}[0m
                \u{1B}[2m│ │ \u{1B}[0m\u{1B}[48;5;130;38;5;231m A \u{1B}[0m \u{1B}[1mAda\u{1B}[0m \u{1B}[2m@ada\u{1B}[0m                                                              \u{1B}[2m2h\u{1B}[0m
                \u{1B}[2m│ │ \u{1B}[0m    \u{1B}[2m↪ a reply\u{1B}[0m
                \u{1B}[2m│ │ \u{1B}[0m    and one to that
                \u{1B}[2m│ │ \u{1B}[0m    \u{1B}[2m4\u{1B}[0m
                \u{1B}[2m│ │\u{1B}[0m
                \u{1B}[2m│ \u{1B}[0m\u{1B}[48;5;130;38;5;231m A \u{1B}[0m \u{1B}[1mAda\u{1B}[0m \u{1B}[2m@ada\u{1B}[0m                                                                \u{1B}[2m2h\u{1B}[0m
                \u{1B}[2m│ \u{1B}[0m    \u{1B}[2m↪ a reply\u{1B}[0m
                \u{1B}[2m│ \u{1B}[0m    \u{1B}[1m⚠ cw\u{1B}[0m
                \u{1B}[2m│ \u{1B}[0m    \u{1B}[2m(hidden; feedclient show 5)\u{1B}[0m
                \u{1B}[2m│ \u{1B}[0m    \u{1B}[2m5\u{1B}[0m
                \u{1B}[2m│\u{1B}[0m
                """)
    }
}
