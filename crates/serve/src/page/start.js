/* --- The page begins. */
fillKinds();
reading = open();
openAddressedTechnique();
