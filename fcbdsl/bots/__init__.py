"""Who answers questions without knowing any game, and what they may guess."""
